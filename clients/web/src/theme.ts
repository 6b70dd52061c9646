import { unsafeCSS } from "lit";
import controlsText from "./controls.css";
import themeText from "./theme.css";

/** The custom properties of every component: colours, type and spacing. */
export const theme = unsafeCSS(themeText);

/** Buttons, fields and tables, shared with the pages. */
export const controls = unsafeCSS(controlsText);
