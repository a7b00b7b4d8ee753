const ADVICE: Readonly<Record<number, string>> = {
  401: "the credentials are missing or have expired: renew them (headers, or the variable of the token)",
  403: "the credentials do not allow it: give others, or more rights to these",
  404: "nothing takes records there: check the url",
};

/**
 * What to do about an answer with this HTTP status that says nothing of the records, and that every batch
 * would get until somebody does it; undefined for any other. 407 comes from `fetch` as a failed connection.
 */
export function findMisconfiguration(status: number): string | undefined {
  return ADVICE[status];
}
