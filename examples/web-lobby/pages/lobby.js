// The lobby's page. Names are set as text, never as HTML.

const element = (id) => document.getElementById(id);

async function call(route, body) {
  const [method, path] = route.split(" ");
  const response = await fetch(path, { method, ...(body && { body: JSON.stringify(body) }) });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.message);
  return answer;
}

// Runs what a button or the clock asks for, and shows what came in its way.
async function attempt(what) {
  const problem = element("problem");
  try {
    await what();
    problem.hidden = true;
  } catch (error) {
    problem.textContent = error.message;
    problem.hidden = false;
  }
}

let games = [];

async function enter() {
  const { name } = await call("GET /api/me");
  element("sign-in").hidden = Boolean(name);
  element("lobby").hidden = !name;
  if (!name) return;
  element("name").textContent = name;
  games = await call("GET /api/games");
  const { game } = element("create").elements;
  game.replaceChildren(...games.map(({ name, title }) => new Option(title, name)));
  offerSeats();
  await refresh();
}

function offerSeats() {
  const { game, seats } = element("create").elements;
  const { seatsMin, seatsMax } = games.find(({ name }) => name === game.value);
  const numbers = Array.from({ length: seatsMax - seatsMin + 1 }, (_, index) => seatsMin + index);
  seats.replaceChildren(...numbers.map((it) => new Option(it)));
}

async function refresh() {
  const { open, mine } = await call("GET /api/tables");
  element("open").replaceChildren(...rows(open.filter((it) => !it.isMine), "Join"));
  element("mine").replaceChildren(...rows(mine, "Go to the table"));
}

function rows(tables, does) {
  if (tables.length === 0) return [Object.assign(document.createElement("li"), { textContent: "None yet." })];
  return tables.map((table) => {
    const row = document.createElement("li");
    row.append(Object.assign(document.createElement("span"), { textContent: table.summary }));
    row.append(button(does, async () => {
      if (!table.isMine) await call("POST /api/join", { match: table.match });
      show(table.match);
    }));
    if (table.isMine && table.isOpen) {
      row.append(button("Leave", async () => {
        await call("POST /api/leave", { match: table.match });
        await refresh();
      }));
    }
    row.classList.toggle("waiting", table.isMyTurn);
    return row;
  });
}

function button(label, does) {
  const made = Object.assign(document.createElement("button"), { textContent: label });
  made.addEventListener("click", () => attempt(does));
  return made;
}

function show(match) {
  location.href = `/table?match=${encodeURIComponent(match)}`;
}

element("create").elements.game.addEventListener("change", offerSeats);
element("sign-in").addEventListener("submit", (event) => {
  event.preventDefault();
  const name = new FormData(event.target).get("name");
  attempt(async () => {
    await call("POST /api/sign-in", { name });
    await enter();
  });
});
element("create").addEventListener("submit", (event) => {
  event.preventDefault();
  const { game, seats } = event.target.elements;
  const bots = event.submitter?.value === "bots";
  const requestId = crypto.getRandomValues(new Uint32Array(1))[0].toString(36);
  attempt(async () => {
    show((await call("POST /api/tables", { game: game.value, seats: Number(seats.value), bots, requestId })).match);
  });
});

await attempt(enter);
setInterval(() => {
  if (!document.hidden && !element("lobby").hidden) attempt(refresh);
}, 3000);
