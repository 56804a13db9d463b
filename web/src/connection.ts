/** The WebSocket to the server. When it breaks, the page tries again, ever more patiently. */

import { decodeMessage, type BinaryMessage } from "./decode";
import type { PageMessage, ServerMessage } from "./messages";

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8000;

export type ConnectionState = "connecting" | "open" | "closed";

interface Listener {
  state(state: ConnectionState): void;
  text(message: ServerMessage): void;
  binary(message: BinaryMessage): void;
}

/** The address of something on the server, with this page's own token. */
export function serverAddress(path: string): URL {
  const address = new URL(path, location.href);
  const token = new URLSearchParams(location.search).get("token");
  if (token !== null) {
    address.searchParams.set("token", token);
  }
  return address;
}

export class Connection {
  private socket: WebSocket | null = null;
  private waitMs = FIRST_WAIT_MS;

  constructor(private readonly listener: Listener) {}

  readonly open = (): void => {
    const address = serverAddress("socket");
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.waitMs = FIRST_WAIT_MS;
      this.listener.state("open");
    };
    socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => {
      if (typeof event.data === "string") {
        this.listener.text(JSON.parse(event.data) as ServerMessage);
      } else {
        this.listener.binary(decodeMessage(event.data));
      }
    };
    socket.onclose = () => {
      this.listener.state("closed");
      setTimeout(this.open, this.waitMs);
      this.waitMs = Math.min(2 * this.waitMs, LONGEST_WAIT_MS);
    };
    this.socket = socket;
    this.listener.state("connecting");
  };

  readonly send = (message: PageMessage): void => {
    if (this.socket?.readyState === WebSocket.OPEN) {
      this.socket.send(JSON.stringify(message));
    }
  };
}
