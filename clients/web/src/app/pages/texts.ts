// Adds the words of the pages that a visit does not begin with.

import sources from "texts:pages";
import { appTexts } from "../texts.js";

appTexts.add(sources);
