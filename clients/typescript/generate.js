// Generates `src/gen` from the contract, without the options that other languages and REST need:
// they would add 3 KB to what a page loads. Of the options of fields, `holds` and `marked` stay.
import { execFileSync } from "node:child_process";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";

const run = (args, input) =>
  execFileSync("npx", ["buf", ...args], {
    input,
    maxBuffer: 2 ** 28,
    stdio: ["pipe", "pipe", "inherit"],
  });

const paths = ["croupier/v1", "google/rpc/error_details.proto"].flatMap((it) => [
  "--path",
  `../../proto/${it}`,
]);
const image = fromBinary(
  FileDescriptorSetSchema,
  run(["build", "../../proto", ...paths, "-o", "-#format=binpb"]),
);

const isOption = (name) =>
  (name.startsWith("google/api/") && name !== "google/api/httpbody.proto") ||
  ["croupier/v1/options.proto", "google/rpc/code.proto"].includes(name);
image.file = image.file.filter(({ name }) => !isOption(name));
const kept = image.file
  .find(({ name }) => name === "croupier/table/v1/options.proto")
  .extension.map(({ number }) => number);
for (const file of image.file) {
  file.options = undefined;
  file.dependency = file.dependency.filter((name) => !isOption(name));
  for (const { method } of file.service) {
    // What is left says which methods have no side effects.
    for (const { options } of method) if (options) options.$unknown = undefined;
  }
  for (const { value } of file.enumType) {
    for (const it of value) if (!it.options?.deprecated) it.options = undefined;
  }
  const messages = [...file.messageType];
  for (const message of messages) {
    messages.push(...message.nestedType);
    for (const { options } of message.field) {
      if (options) options.$unknown = options.$unknown?.filter(({ no }) => kept.includes(no));
    }
  }
}
run(
  ["generate", "-#format=binpb", "--template", "buf.gen.yaml"],
  toBinary(FileDescriptorSetSchema, image),
);
