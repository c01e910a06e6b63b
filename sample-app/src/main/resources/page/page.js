/* Renders the snapshots that the demo sends, and sends the actions of the user. Elements are created once and then
   updated, so that the keyboard focus stays where it is. */
import { shape } from "./shapes.js";
import { timeline } from "./timeline.js";

const $ = (id) => document.getElementById(id);

/** Creates an element with properties and children. */
function element(tag, properties = {}, ...children) {
  const created = Object.assign(document.createElement(tag), properties);
  created.append(...children);
  return created;
}

function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

function mark(index) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 10 10");
  svg.setAttribute("class", "mark");
  svg.setAttribute("aria-hidden", "true");
  svg.innerHTML = `<path d="${shape(index)}"/>`;
  return svg;
}

const clock = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 1, hourCycle: "h23",
});
const label = (snapshot, name) => snapshot.replicas.find((replica) => replica.name === name)?.candidate ?? name;
const words = (constant) => constant.toLowerCase().replaceAll("_", " ");

async function post(path) {
  setText($("message"), "");
  try {
    const response = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" });
    if (!response.ok) {
      const problem = await response.json().catch(() => ({}));
      setText($("message"), problem.detail ?? `The demo responded with status ${response.status}.`);
    }
  } catch {
    setText($("message"), "Cannot reach the demo.");
  }
}

/** Creates a button that stays focusable while it is disabled. */
function button(text, description, path, danger = false) {
  const created = element("button", { type: "button", textContent: text, title: description });
  created.classList.toggle("danger", danger);
  created.addEventListener("click", () => {
    if (created.ariaDisabled !== "true") post(path());
  });
  return created;
}

function setEnabled(target, enabled) {
  target.ariaDisabled = String(!enabled);
}

// ---------------------------------------------------------------- elections

const electionCards = new Map();
let longestLease = 1;

function createElectionCard(name) {
  const root = element("article", { className: "card election" });
  root.dataset.election = name;
  const leaderText = element("p", { className: "leader" });
  const lease = element("span");
  const token = element("span", { className: "muted" });
  const level = element("div");
  const queue = element("ol", { className: "queue", ariaLabel: `Candidate queue of ${name}` });
  const moves = element("div", { className: "moves", role: "group", ariaLabel: `Hand over ${name}` });
  const card = { root, leaderText, lease, token, level, queue, moves, moveButtons: new Map(), leader: null, queueText: "" };
  card.stepDown = button("Step down", `Makes the leader of ${name} step down and rejoin at the end of the queue`,
    () => `demo/replicas/${encodeURIComponent(card.leader)}/elections/${encodeURIComponent(name)}/step-down`);
  card.stepDown.dataset.action = "step-down";
  card.stepDown.ariaLabel = `Step down from ${name}`;
  root.append(
    element("div", { className: "bar" }, element("h3", { textContent: name }), card.stepDown),
    leaderText,
    element("div", { className: "lease" }, lease, token, element("div", { className: "track" }, level)),
    element("div", {}, element("p", { className: "muted", textContent: "Queue" }), queue),
    element("div", {}, element("p", { className: "muted", textContent: "Hand over to" }), moves),
  );
  return card;
}

/** Shows one button per replica. It stays enabled for a replica that cannot lead: the answer says why it cannot. */
function showMoves(card, name, replica, index) {
  let move = card.moveButtons.get(replica.name);
  if (!move) {
    move = button("", "", () => `demo/elections/${encodeURIComponent(name)}/hand-over/${encodeURIComponent(replica.name)}`);
    move.dataset.action = "hand-over";
    move.dataset.to = replica.name;
    move.dataset.replica = index % 4;
    card.moveButtons.set(replica.name, move);
    card.moves.append(move);
  }
  if (move.textContent !== replica.candidate) {
    move.replaceChildren(mark(index), replica.candidate);
    move.title = `Lets ${replica.candidate} lead ${name}, once the running jobs of the leader have ended`;
    move.ariaLabel = `Hand over ${name} to ${replica.candidate}`;
  }
  setEnabled(move, card.leader !== replica.name);
}

function showElection(snapshot, election, names) {
  let card = electionCards.get(election.name);
  if (!card) {
    if (electionCards.size === 0) $("elections").replaceChildren();
    card = createElectionCard(election.name);
    electionCards.set(election.name, card);
    $("elections").append(card.root);
  }
  const leader = election.leaders.length === 1 ? election.leaders[0] : null;
  if (card.leader !== leader || !card.leaderText.firstChild || election.leaders.length > 1) {
    card.leader = leader;
    card.root.dataset.leader = leader ?? "";
    const index = names.indexOf(leader);
    card.root.dataset.replica = index < 0 ? "" : index % 4;
    card.leaderText.classList.toggle("none", !leader);
    card.leaderText.replaceChildren(...(leader
      ? [mark(index), snapshot.replicas[index].candidate]
      : [election.leaders.length ? `${election.leaders.length} leaders: ${election.leaders.join(", ")}` : "No leader"]));
  }
  setEnabled(card.stepDown, leader !== null);
  const info = snapshot.replicas.find((replica) => replica.name === leader)
    ?.elections.find((candidate) => candidate.election === election.name);
  const remaining = leader && info ? info.leaseMillis : 0;
  longestLease = Math.max(longestLease, remaining);
  card.level.style.width = `${100 * remaining / longestLease}%`;
  setText(card.lease, leader ? `lease ${(remaining / 1000).toFixed(1)} s` : "no lease");
  setText(card.token, info?.fencingToken ? `fencing token ${info.fencingToken}` : "");
  showQueue(snapshot, card, election.queue);
  snapshot.replicas.forEach((replica, index) => showMoves(card, election.name, replica, index));
}

function showQueue(snapshot, card, { candidates, heir }) {
  const items = candidates.map((id) => {
    const index = snapshot.replicas.findIndex((replica) => replica.candidate === id);
    const state = index < 0 ? "UP" : snapshot.replicas[index].state;
    return { id, index, heir: id === heir, stale: state !== "UP", text: state === "UP" ? id : `${id} (${words(state)}, session still open)` };
  });
  const text = items.map((item) => `${item.text} ${item.heir}`).join();
  if (card.queueText !== text) {
    card.queueText = text;
    card.queue.replaceChildren(...items.map((item, position) => {
      const entry = element("li", { className: item.stale ? "stale" : "" });
      entry.dataset.replica = item.index < 0 ? "" : item.index % 4;
      entry.append(...(item.index < 0 ? [] : [mark(item.index)]), `${position + 1}. ${item.text}`);
      if (item.heir) {
        entry.append(" ", element("span", { className: "heir", textContent: "heir", title: "Leads next if the leader leaves or fails" }));
      }
      return entry;
    }));
  }
}

// ---------------------------------------------------------------- replicas

const replicaCards = new Map();

function createReplicaCard(replica, index) {
  const path = `demo/replicas/${encodeURIComponent(replica.name)}`;
  const root = element("article", { className: "card replica" });
  root.dataset.name = replica.name;
  root.dataset.replica = index % 4;
  const title = element("span");
  const chip = element("span", { className: "chip" });
  const facts = element("p", { className: "facts" });
  const rows = element("tbody");
  const buttons = {
    withdraw: button("Withdraw", "Withdraws from all elections", () => `${path}/withdraw`),
    rejoin: button("Rejoin", "Rejoins all elections, at the end of each queue", () => `${path}/rejoin`),
    pause: button("Pause", "Suspends the process (SIGSTOP) for longer than its session timeout", () => `${path}/pause`),
    restart: button("Restart", "", () => `${path}/restart`),
    crash: button("Crash", "Kills the process (SIGKILL) without a graceful shutdown", () => `${path}/crash`, true),
  };
  for (const [action, created] of Object.entries(buttons)) created.dataset.action = action;
  root.append(
    element("div", { className: "bar" }, element("h3", {}, mark(index), title), chip),
    facts,
    element("table", {},
      element("thead", {}, element("tr", {},
        element("th", { textContent: "Election" }), element("th", { textContent: "Role" }),
        element("th", { textContent: "Executed", className: "number", title: "Job runs of this process" }),
        element("th", { textContent: "Skipped", className: "number", title: "Job runs skipped because it was not the leader" }))),
      rows),
    element("div", { className: "actions" }, ...Object.values(buttons)),
  );
  return { root, title, chip, facts, rows, buttons, cells: new Map(), factsText: "" };
}

function showReplica(snapshot, replica, index) {
  let card = replicaCards.get(replica.name);
  if (!card) {
    card = createReplicaCard(replica, index);
    replicaCards.set(replica.name, card);
    $("replica-cards").append(card.root);
  }
  setText(card.title, replica.candidate);
  setText(card.chip, words(replica.state));
  card.chip.dataset.state = replica.state;
  card.root.classList.toggle("inactive", replica.state !== "UP");
  showFacts(card, replica);
  for (const info of replica.elections) showElectionInfo(card, info, replica.state);
  showButtons(snapshot, card.buttons, replica);
}

function showButtons(snapshot, buttons, replica) {
  const { withdraw, rejoin, pause, restart, crash } = buttons;
  const up = replica.state === "UP";
  const down = replica.state === "DOWN";
  const withdrawn = replica.elections.length > 0 && replica.elections.every((info) => info.role === "OBSERVER");
  swap(withdrawn ? rejoin : withdraw, withdrawn ? withdraw : rejoin);
  setEnabled(withdraw, up);
  setEnabled(rejoin, up);
  for (const target of [pause, restart, crash]) target.hidden = !snapshot.controllable;
  pause.hidden ||= !snapshot.pausable;
  setEnabled(pause, up);
  setEnabled(crash, up || replica.state === "NOT_RESPONDING" || replica.state === "STARTING");
  setEnabled(restart, !replica.restarting && replica.state !== "STARTING" && replica.state !== "PAUSED");
  setText(restart, down ? "Start" : "Restart");
  const description = down ? "Starts a new process" : "Stops the process gracefully (SIGTERM) and starts a new one";
  if (restart.title !== description) restart.title = description;
  for (const target of Object.values(buttons)) {
    const ariaLabel = `${target.textContent} ${replica.candidate}`;
    if (target.ariaLabel !== ariaLabel) target.ariaLabel = ariaLabel;
  }
}

/** Shows one of two buttons in the same place, and keeps the focus there. */
function swap(shown, hidden) {
  if (!hidden.hidden || shown.hidden) {
    const focused = document.activeElement === hidden;
    shown.hidden = false;
    hidden.hidden = true;
    if (focused) shown.focus();
  }
}

function showFacts(card, replica) {
  const text = `${replica.pid} ${replica.url} ${replica.state}`;
  if (card.factsText !== text) {
    card.factsText = text;
    const parts = [];
    if (replica.pid) parts.push(`process ${replica.pid}`);
    if (replica.pid && replica.url) {
      const href = `${replica.url}/actuator/election`;
      parts.push(" · ", element("a", { href, textContent: `:${new URL(replica.url).port}/actuator/election` }));
    } else if (replica.url) {
      parts.push(replica.url);
    }
    card.facts.replaceChildren(...parts);
  }
}

function showElectionInfo(card, info, state) {
  let cells = card.cells.get(info.election);
  if (!cells) {
    cells = [element("td", { textContent: info.election }), element("td"),
      element("td", { className: "number" }), element("td", { className: "number" })];
    card.cells.set(info.election, cells);
    card.rows.append(element("tr", {}, ...cells));
  }
  const leads = info.role === "LEADER" && state === "UP";
  setText(cells[1], state === "UP" ? (leads ? "★ leader" : words(info.role)) : "–");
  cells[1].classList.toggle("leads", leads);
  setText(cells[2], String(info.executed));
  setText(cells[3], String(info.skipped));
}

// ---------------------------------------------------------------- events and terms

const shownEvents = new Set();

/** After a reconnect the events may come from another run of the demo, which numbers its events from 1 again. */
function clearEvents() {
  shownEvents.clear();
  $("events").replaceChildren();
}

function showEvents(snapshot) {
  const list = $("events");
  for (const event of [...snapshot.events].reverse()) {
    if (shownEvents.has(event.number)) continue;
    shownEvents.add(event.number);
    const description = element("span", { className: "description" });
    description.append(event.type === "NOTE"
      ? element("b", { textContent: event.detail })
      : element("b", { textContent: words(event.type) }));
    if (event.type !== "NOTE" && event.detail) {
      description.append(` · ${event.type === "REVOKED" ? words(event.detail) : event.detail}`);
    }
    if (event.sequence) description.append(element("span", { className: "muted", textContent: ` · #${event.sequence}` }));
    const entry = element("li", {},
      element("time", { dateTime: event.at, className: "muted", textContent: clock.format(new Date(event.at)) }),
      element("span", { textContent: label(snapshot, event.replica) }), element("span", { textContent: event.election }), description);
    entry.dataset.type = event.type;
    list.prepend(entry);
  }
  while (list.children.length > 60) list.lastElementChild.remove();
}

function showTerms(snapshot) {
  const count = snapshot.terms.length;
  const terms = `${count} ${count === 1 ? "term" : "terms"}`;
  $("overlaps").classList.toggle("bad", snapshot.overlaps > 0);
  setText($("overlaps"), snapshot.overlaps > 0
    ? `✗ ${terms}, ${snapshot.overlaps} ${snapshot.overlaps === 1 ? "overlap" : "overlaps"}`
    : count ? `✓ ${terms}, no overlaps` : "");
  if ($("terms").closest("details").open) {
    $("terms").tBodies[0].replaceChildren(...[...snapshot.terms].reverse().map((term) => element("tr", {},
      element("td", { textContent: term.election }), element("td", { textContent: label(snapshot, term.replica) }),
      element("td", { textContent: term.fencingToken, className: "number" }),
      element("td", { textContent: clock.format(new Date(term.since)) }),
      element("td", { textContent: term.until ? clock.format(new Date(term.until)) : "now" }),
      element("td", { textContent: `${words(term.end)} ${term.cause}`.trim() }))));
  }
}

// ---------------------------------------------------------------- the page

function show(snapshot) {
  const { zooKeeper } = snapshot;
  setText($("zookeeper-state"), zooKeeper.running ? "ZooKeeper" : "ZooKeeper is down");
  $("zookeeper-state").dataset.state = zooKeeper.running ? "UP" : "DOWN";
  setText($("zookeeper-address"), zooKeeper.address);
  $("zookeeper-restart").hidden = !zooKeeper.restartable;
  setEnabled($("zookeeper-restart"), !zooKeeper.restarting);
  setText($("zookeeper-restart"), zooKeeper.running || zooKeeper.restarting ? "Restart ZooKeeper" : "Start ZooKeeper");
  const names = snapshot.replicas.map((replica) => replica.name);
  snapshot.elections.forEach((election) => showElection(snapshot, election, names));
  snapshot.replicas.forEach((replica, index) => showReplica(snapshot, replica, index));
  showEvents(snapshot);
  showTerms(snapshot);
  timeline($("timeline"), snapshot, Number($("span").value));
}

$("zookeeper-restart").addEventListener("click", (click) => {
  if (click.currentTarget.ariaDisabled !== "true") post("demo/zookeeper/restart");
});

const stream = new EventSource("demo/stream");
stream.addEventListener("message", (message) => show(JSON.parse(message.data)));
stream.addEventListener("open", () => {
  setText($("message"), "");
  clearEvents();
});
stream.addEventListener("error", () => setText($("message"), "Lost the connection to the demo. Reconnecting…"));
