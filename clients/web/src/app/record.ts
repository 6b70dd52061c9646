import type { Croupier } from "@croupier/client";

/** The record of a match that was revealed, as the file that `croupier verify` reads. */
export async function recordFile(croupier: Croupier, match: string): Promise<File> {
  const lines: string[] = [];
  for await (const part of croupier.rpc.entries.readRecord({ name: `${match}/record` })) lines.push(...part.lines);
  const text = lines.map((line) => `${line}\n`).join("");
  return new File([text], `${match.replace("matches/", "match-")}.jsonl`, { type: "application/jsonl" });
}

export function saveFile(file: File): void {
  const url = URL.createObjectURL(file);
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = file.name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
