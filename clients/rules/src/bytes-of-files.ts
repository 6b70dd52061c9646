import { readFile } from "node:fs/promises";
import { compile as compileFetched } from "./bytes.js";

/** The file of WebAssembly at an address. Node.js fetches no files. */
export async function compile(address: string): Promise<WebAssembly.Module> {
  if (!address.startsWith("file:")) return compileFetched(address);
  return WebAssembly.compile(await readFile(new URL(address)));
}
