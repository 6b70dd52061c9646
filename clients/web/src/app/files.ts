/** Lines of text as a file. */
export function blobOf(lines: readonly string[]): Blob {
  return new Blob(lines.map((line) => `${line}\n`), { type: "application/jsonl" });
}

/** Lets the reader save lines of text as a file. */
export function saveFile(name: string, lines: readonly string[]): void {
  const url = URL.createObjectURL(blobOf(lines));
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
