/** Lets the reader save lines of text as a file. */
export function saveFile(name: string, lines: readonly string[]): void {
  const text = lines.map((line) => `${line}\n`).join("");
  const url = URL.createObjectURL(new Blob([text], { type: "application/jsonl" }));
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
