// A client of the REST interface that describes a game, plays a match, and watches it. `make contract`
// compiles it against the OpenAPI document. It needs no `!`, since the document says which fields are
// always there.
import createClient from "openapi-fetch";
import type { components, paths } from "./schema";

type Entry = components["schemas"]["croupier.v1.Entry"];
type Failure = components["schemas"]["Error"];

const client = createClient<paths>({ baseUrl: "http://127.0.0.1:7710" });
const headers = { authorization: "Bearer key" };

// The reason of an error, and the field that is wrong, if one is.
function reason(failure: Failure): string {
  for (const detail of failure.error.details) {
    switch (detail["@type"]) {
      case "type.googleapis.com/google.rpc.ErrorInfo":
        return `${detail.domain} ${detail.reason} ${detail.metadata.field ?? ""}`;
      case "type.googleapis.com/google.rpc.BadRequest":
        return detail.fieldViolations.map((it) => it.field).join(", ");
      case "type.googleapis.com/google.rpc.RetryInfo":
      case "type.googleapis.com/google.rpc.LocalizedMessage":
        break;
    }
  }
  return failure.error.message;
}

async function describe(game: string): Promise<string> {
  const { data, error } = await client.GET("/v1/games/{game}", { params: { path: { game } } });
  if (error) return reason(error);
  const refusals = data.game.refusals.map((it) => `${it.reason} ${it.facts.join(" ")}`);
  const places = data.game.layout?.places.map((it) => it.name.toUpperCase()) ?? [];
  const options = data.game.options.map((it) => `${it.name}: ${it.values.join(", ")}`);
  return [data.game.title, ...options, ...places, ...refusals].join("\n");
}

async function newest(): Promise<string | undefined> {
  const params = { query: { pageSize: 1, state: "MATCH_STATE_RUNNING" as const } };
  const { data, error } = await client.GET("/v1/matches", { params, headers });
  if (error) throw new Error(reason(error));
  return data.matches.map((it) => `${it.name} since ${it.createTime.slice(0, 10)}`).at(0);
}

async function play(match: string, seat: number): Promise<Entry> {
  const path = { match };
  const view = await client.GET("/v1/matches/{match}:view", { params: { path }, headers });
  if (view.error) throw new Error(reason(view.error));
  const pieces = view.data.table.places.flatMap((it) => it.pieces);
  const legal = await client.GET("/v1/matches/{match}:legalActions", {
    params: { path, query: { seat } },
    headers,
  });
  if (legal.error) throw new Error(reason(legal.error));
  const listed = legal.data.actions.find((it) => pieces.length > 0 || it.verb === "pass");
  const action = listed?.action ?? { mountebank: { draw: {} } };
  const done = await client.POST("/v1/matches/{match}:submitAction", {
    params: { path },
    body: { seat, action, expectedPosition: view.data.table.position },
    headers,
  });
  if (done.error) throw new Error(reason(done.error));
  return done.data.entry;
}

async function history(match: string): Promise<number> {
  let pageToken = "";
  let events = 0;
  do {
    const params = { path: { match }, query: { pageSize: 100, pageToken } };
    const { data, error } = await client.GET("/v1/matches/{match}/entries", { params, headers });
    if (error) throw new Error(reason(error));
    events += data.entries.reduce((sum, it) => sum + it.events.length, 0);
    pageToken = data.nextPageToken;
  } while (pageToken !== "");
  return events;
}

type Batch =
  paths["/v1/matches/{match}/entries:watch"]["get"]["responses"]["200"]["content"]["text/event-stream"];

function watch(match: string, token: string, show: (entry: Entry) => void): void {
  const source = new EventSource(`/v1/matches/${match}/entries:watch?access_token=${token}`);
  source.onmessage = (event: MessageEvent<string>) => {
    const batch: Batch = JSON.parse(event.data);
    batch.entries.forEach(show);
  };
  source.addEventListener("end", (event: MessageEvent<string>) => {
    const end: Partial<Failure> = JSON.parse(event.data);
    const info = end.error?.details.find((it) => it["@type"].endsWith("ErrorInfo"));
    // Left open, it reconnects and resumes.
    if (!(info && "reason" in info && info.reason === "SHUTTING_DOWN")) source.close();
  });
}

export { describe, history, newest, play, watch };
