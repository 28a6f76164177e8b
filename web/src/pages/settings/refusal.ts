import { ApiError } from "../../api/errors";

/** Why something was refused and what to do about it, in a line; empty where nothing was. */
export function refusalOf(error: Error | null): string {
  if (error === null) return "";
  return error instanceof ApiError && error.remedy ? `${error.message} ${error.remedy}` : error.message;
}
