import german from "../texts/app-de.ftl";
import english from "../texts/app-en.ftl";
import { textsFrom } from "../texts/texts.js";

/** The words of the application, in a language. */
export const appTexts = textsFrom({ en: english, de: german });
