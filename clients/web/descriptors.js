// Puts descriptors of the contract into a bundle as their bytes. Protobuf's generated modules have them in
// base64, in which a compressor finds hardly anything twice: names that repeat begin at any of three places.

import { readFile } from "node:fs/promises";

/** The plugin of esbuild. */
export const descriptors = {
  name: "descriptors",
  setup(build) {
    build.onLoad({ filter: /_pb\.js$/ }, async ({ path }) => {
      const generated = await readFile(path, "utf8");
      const contents = generated.replace(/fileDesc\("([\w+/=]+)"/, (_, base64) => {
        return `fileDesc(btoa(${JSON.stringify(Buffer.from(base64, "base64").toString("latin1"))})`;
      });
      return { contents };
    });
  },
};
