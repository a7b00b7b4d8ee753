import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { type Browser, chromium, type Page } from "playwright-core";
import { makeOnce } from "../../../../src/base/testing/make-once.js";

/** A page that is open in the browser. */
export interface OpenPage {
  readonly page: Page;
  /** URLs that the page has requested, in order. */
  readonly requests: readonly string[];
  /** Errors and warnings on the console, uncaught errors, and dialogs. */
  readonly troubles: readonly string[];
}

/** Only to stop a hang; no test depends on timing. */
const TIMEOUT = 120_000;

/** For this platform, npm has a Chromium (`@sparticuz/chromium`). Elsewhere, an installed Chrome is used. */
const IS_BUNDLED = process.platform === "linux" && process.arch === "x64";

/** Starts a headless Chromium that looks up no host. */
export async function launchChromium(): Promise<Browser> {
  const args = ["--host-resolver-rules=MAP * ~NOTFOUND", "--disable-quic"];
  if (!IS_BUNDLED) return await launchInstalled(args);
  const folder = makeOnce("chromium", unpackChromium);
  const env = {
    ...process.env,
    FONTCONFIG_FILE: join(folder, "fonts.conf"),
    // NSS and NSPR, which a machine without a desktop may lack.
    LD_LIBRARY_PATH: join(folder, "lib"),
  };
  const executablePath = join(folder, "chromium");
  return await chromium.launch({ executablePath, args, env, timeout: TIMEOUT });
}

async function launchInstalled(args: string[]): Promise<Browser> {
  try {
    return await chromium.launch({ channel: "chrome", args, timeout: TIMEOUT });
  } catch (error) {
    if (!String(error).includes("is not found at")) throw error;
    const missing = new Error(
      "the tests of pages need a browser: install Google Chrome, or use Linux on x64, for which npm has one",
    );
    // The line says all.
    delete missing.stack;
    throw missing;
  }
}

/** Opens a file in a new window of its own, without network. */
export async function openPage(browser: Browser, path: string): Promise<OpenPage> {
  const context = await browser.newContext({ offline: true });
  context.setDefaultTimeout(TIMEOUT);
  const page = await context.newPage();
  const requests: string[] = [];
  const troubles: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  page.on("pageerror", (error) => troubles.push(`uncaught: ${error.message}`));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) troubles.push(message.text());
  });
  page.on("dialog", async (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  await page.goto(pathToFileURL(path).href);
  return { page, requests, troubles };
}

/** Unpacks the browser, its libraries and a font, where the package itself would do so in the temporary folder. */
function unpackChromium(folder: string): void {
  const packed = fileURLToPath(
    new URL("../node_modules/@sparticuz/chromium/bin/", import.meta.url),
  );
  for (const file of readdirSync(packed)) {
    const path = join(folder, file.replace(/\.br$/, ""));
    const content = brotliDecompressSync(readFileSync(join(packed, file)));
    writeFileSync(path, content, { mode: 0o755 });
    if (path.endsWith(".tar")) execFileSync("tar", ["-xf", path, "-C", folder]);
  }
  const fonts = join(folder, "fonts");
  const cache = join(folder, "fonts-cache");
  mkdirSync(cache);
  writeFileSync(
    join(folder, "fonts.conf"),
    `<fontconfig><dir>${fonts}</dir><cachedir>${cache}</cachedir></fontconfig>\n`,
  );
}
