// Adds the words of the pages for operators.

import sources from "texts:operators";
import { appTexts } from "../texts.js";

appTexts.add(sources);
