import { ApiError } from "../../api/errors";

/** What went wrong and what to do, for the line below a field; undefined without an error. */
export function failureWords(error: Error | null): string | undefined {
  if (error === null) return undefined;
  return error instanceof ApiError && error.remedy !== "" ? `${error.message} ${error.remedy}` : error.message;
}
