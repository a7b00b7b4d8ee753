import { EXIT, UserError } from "../../user-error.js";

/**
 * The address without its user and password, and these as basic authentication has them. Throws UserError
 * (exit 2) for what is no http: or https: address.
 */
export function parseSinkUrl(given: string | URL): { url: URL; credentials: string | undefined } {
  // Neither the error of `new URL` nor this one shows the text: it may hold credentials.
  const url = URL.canParse(String(given)) ? new URL(given) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new UserError("sink: url must be an absolute http: or https: address", EXIT.usage);
  }
  if (url.username === "" && url.password === "") return { url, credentials: undefined };
  const plain = `${decode(url.username)}:${decode(url.password)}`;
  url.username = "";
  url.password = "";
  return { url, credentials: Buffer.from(plain, "utf8").toString("base64") };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
