import { Skeleton } from "../ui/states";
import "./page.css";

/** What stands in place of a page until its code or its data is here. */
export function PageLoading() {
  return (
    <div className="page page-text">
      <Skeleton lines={5} />
    </div>
  );
}
