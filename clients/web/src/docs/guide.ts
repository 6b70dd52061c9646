import { applyScheme } from "../app/preferences.js";

applyScheme();
