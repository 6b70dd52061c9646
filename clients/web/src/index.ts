// Every component, for pages that embed them. Each module defines its element.
import "./table/table.js";
