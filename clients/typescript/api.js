// Reports what the package exports, with its signatures, into `api.md`, and fails if that differs
// from the file in the repository, or if anything public has no comment. `npm run api` accepts the
// change.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = fileURLToPath(new URL(".", import.meta.url));
const { exports } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
const entries = Object.entries(exports).map(([subpath, { types }]) => [
  subpath,
  path.join(root, types),
]);
const program = ts.createProgram({
  rootNames: entries.map(([, file]) => file),
  options: { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
});
const checker = program.getTypeChecker();
const printer = ts.createPrinter({ removeComments: true });
const uncommented = [];

const sections = entries.map(([subpath, file]) => {
  const name = path.posix.join("@croupier/client", subpath);
  const source = program.getSourceFile(file);
  if (!source) throw new Error(`${file} is missing: build the package first`);
  const symbols = checker
    .getExportsOfModule(checker.getSymbolAtLocation(source))
    .map((it) => (it.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(it) : it))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const declared = symbols.map((symbol) => [symbol, symbol.declarations ?? []]);
  const own = declared.filter(([, all]) => !all.some(isForeign));
  const foreign = declared.filter(([, all]) => all.some(isForeign)).map(([{ name }]) => name);
  for (const [, all] of own) all.forEach((it) => checkComment(it));
  const texts = own.flatMap(([, all]) => all.map(textOf));
  const lists =
    foreign.length === 0
      ? ""
      : `\nGenerated or of a dependency: ${foreign.map((it) => `\`${it}\``).join(", ")}.\n`;
  const code = texts.length === 0 ? "" : `\n\`\`\`ts\n${texts.join("\n\n")}\n\`\`\`\n`;
  return `## ${name}\n${code}${lists}`;
});
const report = `# What @croupier/client exports\n\nWritten by \`npm run api\`. A change here is a change for those who use the package.\n\n${sections.join("\n")}`;

const file = path.join(root, "api.md");
if (process.argv.includes("--bless")) writeFileSync(file, report);
const isSame = readFileSync(file, "utf8") === report;
if (!isSame)
  console.error(
    "api.md differs from what the package exports: run `npm run api`, and look at the difference",
  );
for (const it of uncommented) console.error(`no comment: ${it}`);
process.exitCode = isSame && uncommented.length === 0 ? 0 : 1;

function isForeign(node) {
  const { fileName } = node.getSourceFile();
  return fileName.includes("/gen/") || fileName.includes("/node_modules/");
}

/** The declaration as in the d.ts, without comments and private members. */
function textOf(node) {
  // Declarations without an initializer stand in a statement of their own.
  const whole = ts.isVariableDeclaration(node) ? node.parent.parent : node;
  const text = printer.printNode(
    ts.EmitHint.Unspecified,
    withoutPrivates(whole),
    node.getSourceFile(),
  );
  return text.replace(/^export (declare )?/, "").replaceAll("    ", "  ");
}

function withoutPrivates(node) {
  if (!ts.isClassDeclaration(node)) return node;
  const members = node.members.filter((member) => !isPrivate(member));
  const { factory } = ts;
  return factory.updateClassDeclaration(
    node,
    node.modifiers,
    node.name,
    node.typeParameters,
    node.heritageClauses,
    members,
  );
}

function isPrivate(member) {
  if (member.name && ts.isPrivateIdentifier(member.name)) return true;
  return (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private) !== 0;
}

function checkComment(node) {
  const whole = ts.isVariableDeclaration(node) ? node.parent.parent : node;
  const members =
    ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node) ? node.members : [];
  for (const it of [whole, ...members]) {
    if (it !== whole && (isPrivate(it) || (it.name && ts.isComputedPropertyName(it.name))))
      continue;
    const isCommented = ts.getJSDocCommentsAndTags(it).length > 0;
    if (!isCommented)
      uncommented.push(
        `${it === whole ? "" : `${node.name.text}.`}${it.name?.getText() ?? "constructor"}`,
      );
  }
}
