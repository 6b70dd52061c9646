// Adds the words of the table, the replay and the lobby to those of the components.

import sources from "texts:table";
import { texts } from "./texts.js";

texts.add(sources);
