import sources from "texts:app";
import { textsFrom } from "../texts/texts.js";

/** The words of the application, in a language. */
export const appTexts = textsFrom(sources);
