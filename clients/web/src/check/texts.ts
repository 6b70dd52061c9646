import sources from "texts:check";
import { textsFrom } from "../texts/texts.js";

/** The words of checks, in a language. */
export const checkTexts = textsFrom(sources);
