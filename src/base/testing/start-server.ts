import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that came whole. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly key: string;
  readonly body: string;
}

/** Answers the request with this number, from 0. */
export type Answer = (response: ServerResponse, number: number, request: Received) => void;

export interface TestServer {
  readonly url: string;
  readonly received: readonly Received[];
  close(): Promise<void>;
}

/** A real server on this machine, which keeps what it receives. */
export async function startServer(answer: Answer): Promise<TestServer> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("error", () => {});
    request.on("end", () => {
      const key = String(request.headers["idempotency-key"]);
      const body = Buffer.concat(chunks).toString("utf8");
      const whole = { headers: request.headers, key, body };
      received.push(whole);
      answer(response, received.length - 1, whole);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/ingest`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export function answerOk(response: ServerResponse): void {
  response.writeHead(200).end("ok");
}

/** Closes the connection without a word. */
export function answerReset(response: ServerResponse): void {
  response.socket?.resetAndDestroy();
}

/** Promises more than it sends, and dies. */
export function answerHalf(response: ServerResponse): void {
  response.writeHead(200, { "content-length": "1000" });
  response.write("half", () => response.socket?.destroy());
}

/** Says `status` with these headers. */
export function answerStatus(status: number, headers: Record<string, string> = {}): Answer {
  return (response) => response.writeHead(status, headers).end(`because of ${status}`);
}
