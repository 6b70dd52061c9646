// The page of a table. The table gets a client that asks this site for the token of the player's
// seat, also when a token has expired, and does the rest with the service.

import { Croupier } from "{{service}}/croupier.js";

const table = document.querySelector("croupier-table");
const again = document.getElementById("again");
const match = new URLSearchParams(location.search).get("match");
let seat;

async function post(path) {
  const response = await fetch(path, { method: "POST", body: JSON.stringify({ match }) });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.message);
  return answer;
}

async function credentials() {
  const answer = await post("/api/token");
  seat = answer.seat;
  return answer.token;
}

table.addEventListener("croupier-ended", () => (again.hidden = seat === undefined));
again.addEventListener("click", async () => {
  try {
    location.search = `?match=${encodeURIComponent((await post("/api/again")).match)}`;
  } catch (error) {
    document.getElementById("problem").textContent = error.message;
  }
});

table.client = Croupier.connect("{{service}}", { credentials, language: "en" });
table.match = match;
