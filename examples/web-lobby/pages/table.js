// The page of a table: it asks this site for the token of the player's seat, and hands it to the
// table, which does the rest with the service.

const table = document.querySelector("croupier-table");
const match = new URLSearchParams(location.search).get("match");

async function post(path, body) {
  const response = await fetch(path, { method: "POST", body: JSON.stringify(body) });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.message);
  return answer;
}

async function attempt(what) {
  try {
    await what();
  } catch (error) {
    document.getElementById("problem").textContent = error.message;
  }
}

let seat;

async function sit() {
  const answer = await post("/api/token", { match });
  seat = answer.seat;
  table.setAttribute("token", answer.token);
  table.setAttribute("match", match);
}

table.addEventListener("croupier-ended", () => {
  document.getElementById("again").hidden = seat === undefined;
});

// A token lives for an hour, and a game may last longer.
table.addEventListener("croupier-refusal", (event) => {
  if (event.detail?.reason === "TOKEN_EXPIRED") attempt(sit);
});
document.getElementById("again").addEventListener("click", () => attempt(async () => {
  location.search = `?match=${encodeURIComponent((await post("/api/again", { match })).match)}`;
}));

await attempt(sit);
