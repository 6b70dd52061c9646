import { Croupier, type ConnectOptions } from "@croupier/client";
import { home } from "./home.js";

/** A client of the service that these pages came from. */
export function connect(options: ConnectOptions = {}): Croupier {
  return Croupier.connect(home(), { socket: "auto", ...options });
}
