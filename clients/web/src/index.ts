// Every component, for pages that embed them. Each module defines its element.
export { CroupierLobby } from "./lobby/lobby.js";
export { CroupierReplay } from "./replay/replay.js";
export { CroupierTable } from "./table/table.js";
export { Croupier, Refusal } from "@croupier/client";
