import { unsafeCSS } from "lit";
import text from "./lobby.css";

export const styles = unsafeCSS(text);
