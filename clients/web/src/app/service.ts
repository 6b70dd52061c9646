import { Croupier, type ConnectOptions } from "@croupier/client";

/** A client of the service that these pages came from. */
export function connect(options: ConnectOptions = {}): Croupier {
  return Croupier.connect(location.origin, { socket: "auto", ...options });
}
