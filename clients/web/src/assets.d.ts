/** Where the rules of the games are, if the build found them. */
declare const RULES: { readonly wasm: string; readonly worker: string } | undefined;

// Files that the build puts into a bundle as text.
declare module "*.css" {
  const text: string;
  export default text;
}
/** Sources in Fluent's syntax by language. */
declare module "texts:*" {
  const sources: Readonly<Record<string, string>>;
  export default sources;
}
