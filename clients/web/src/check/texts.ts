import german from "../texts/check-de.ftl";
import english from "../texts/check-en.ftl";
import { textsFrom } from "../texts/texts.js";

/** The words of checks, in a language. */
export const checkTexts = textsFrom({ en: english, de: german });
