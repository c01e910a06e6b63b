/* Shows the pictures that the demo sends, and sends what is clicked. No framework: elements are made once and then
   changed, so that the keyboard's focus stays where it is. */
import { shape } from "./shapes.js";
import { timeline } from "./timeline.js";

const $ = (id) => document.getElementById(id);

/** Makes an element with properties and children. */
function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
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
const label = (picture, name) => picture.replicas.find((replica) => replica.name === name)?.candidate ?? name;
const words = (constant) => constant.toLowerCase().replaceAll("_", " ");

async function post(path) {
  setText($("message"), "");
  try {
    const answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" });
    if (!answer.ok) {
      const problem = await answer.json().catch(() => ({}));
      setText($("message"), problem.detail ?? `The demo answered ${answer.status}`);
    }
  } catch {
    setText($("message"), "The demo cannot be reached.");
  }
}

/** A button that stays focusable while it does not apply. */
function button(label, description, path, danger = false) {
  const made = element("button", { type: "button", textContent: label, title: description });
  made.classList.toggle("danger", danger);
  made.addEventListener("click", () => {
    if (made.ariaDisabled !== "true") post(path());
  });
  return made;
}

function enable(made, enabled) {
  made.ariaDisabled = String(!enabled);
}

// ---------------------------------------------------------------- elections

const elections = new Map();
let longestLease = 1;

function electionCard(name) {
  const card = element("article", { className: "card election" });
  card.dataset.election = name;
  const leader = element("p", { className: "leader" });
  const lease = element("span");
  const token = element("span", { className: "quiet" });
  const level = element("div");
  const queue = element("ol", { className: "queue", ariaLabel: `Queue of ${name}` });
  const state = { card, leader, lease, token, level, queue, leads: null, queueText: "" };
  state.stepDown = button("Step down", `The leader of ${name} hands over and goes to the end of the queue`,
    () => `demo/replicas/${encodeURIComponent(state.leads)}/elections/${encodeURIComponent(name)}/step-down`);
  state.stepDown.dataset.action = "step-down";
  state.stepDown.ariaLabel = `Step down from ${name}`;
  card.append(
    element("div", { className: "bar" }, element("h3", { textContent: name }), state.stepDown),
    leader,
    element("div", { className: "lease" }, lease, token, element("div", { className: "track" }, level)),
    element("div", {}, element("p", { className: "quiet", textContent: "Queue" }), queue),
  );
  return state;
}

function showElection(picture, election, names) {
  let shown = elections.get(election.name);
  if (!shown) {
    if (elections.size === 0) $("elections").replaceChildren();
    shown = electionCard(election.name);
    elections.set(election.name, shown);
    $("elections").append(shown.card);
  }
  const leads = election.leaders.length === 1 ? election.leaders[0] : null;
  if (shown.leads !== leads || !shown.leader.firstChild || election.leaders.length > 1) {
    shown.leads = leads;
    shown.card.dataset.leader = leads ?? "";
    const index = names.indexOf(leads);
    shown.card.dataset.replica = index < 0 ? "" : index % 4;
    shown.leader.classList.toggle("nobody", !leads);
    shown.leader.replaceChildren(...(leads
      ? [mark(index), picture.replicas[index].candidate]
      : [election.leaders.length ? `${election.leaders.join(" and ")} !` : "nobody leads"]));
  }
  enable(shown.stepDown, leads !== null);
  const standing = picture.replicas.find((replica) => replica.name === leads)
    ?.elections.find((candidate) => candidate.election === election.name);
  const left = leads && standing ? standing.leaseMillis : 0;
  longestLease = Math.max(longestLease, left);
  shown.level.style.width = `${100 * left / longestLease}%`;
  setText(shown.lease, leads ? `lease ${(left / 1000).toFixed(1)} s` : "no lease");
  setText(shown.token, standing?.fencingToken ? `fencing token ${standing.fencingToken}` : "");
  showQueue(picture, shown, election.queue);
}

function showQueue(picture, shown, queue) {
  const items = queue.map((id) => {
    const index = picture.replicas.findIndex((replica) => replica.candidate === id);
    const state = index < 0 ? "UP" : picture.replicas[index].state;
    return { id, index, ghost: state !== "UP", text: state === "UP" ? id : `${id} (${words(state)}, session not over)` };
  });
  const text = items.map((item) => item.text).join();
  if (shown.queueText !== text) {
    shown.queueText = text;
    shown.queue.replaceChildren(...items.map((item, place) => {
      const made = element("li", { className: item.ghost ? "ghost" : "" });
      made.dataset.replica = item.index < 0 ? "" : item.index % 4;
      made.append(...(item.index < 0 ? [] : [mark(item.index)]), `${place + 1}. ${item.text}`);
      return made;
    }));
  }
}

// ---------------------------------------------------------------- replicas

const replicas = new Map();

function replicaCard(replica, index) {
  const path = `demo/replicas/${encodeURIComponent(replica.name)}`;
  const card = element("article", { className: "card replica" });
  card.dataset.name = replica.name;
  card.dataset.replica = index % 4;
  const title = element("span");
  const chip = element("span", { className: "chip" });
  const facts = element("p", { className: "facts" });
  const rows = element("tbody");
  const buttons = {
    withdraw: button("Withdraw", "Leaves all queues", () => `${path}/withdraw`),
    rejoin: button("Rejoin", "Joins all queues again, at their ends", () => `${path}/rejoin`),
    pause: button("Pause", "Stops the process (SIGSTOP) for longer than its session", () => `${path}/pause`),
    restart: button("Restart", "Stops the process in an orderly way, and starts another", () => `${path}/restart`),
    crash: button("Crash", "Kills the process (SIGKILL): no goodbye", () => `${path}/crash`, true),
  };
  for (const [action, made] of Object.entries(buttons)) made.dataset.action = action;
  card.append(
    element("div", { className: "bar" }, element("h3", {}, mark(index), title), chip),
    facts,
    element("table", {},
      element("thead", {}, element("tr", {},
        element("th", { textContent: "Election" }), element("th", { textContent: "Role" }),
        element("th", { textContent: "Run", className: "number", title: "Jobs executed by this process" }),
        element("th", { textContent: "Skipped", className: "number", title: "Jobs skipped, since it did not lead" }))),
      rows),
    element("div", { className: "actions" }, ...Object.values(buttons)),
  );
  return { card, title, chip, facts, rows, buttons, cells: new Map(), factsText: "" };
}

const STATES = { STARTING: "starting", UP: "up", PAUSED: "paused", SILENT: "no answer", DOWN: "down" };

function showReplica(picture, replica, index) {
  let shown = replicas.get(replica.name);
  if (!shown) {
    shown = replicaCard(replica, index);
    replicas.set(replica.name, shown);
    $("replica-cards").append(shown.card);
  }
  setText(shown.title, replica.candidate);
  setText(shown.chip, STATES[replica.state]);
  shown.chip.dataset.state = replica.state;
  shown.card.classList.toggle("gone", replica.state !== "UP");
  showFacts(shown, replica);
  for (const standing of replica.elections) showStanding(shown, standing, replica.state);

  const up = replica.state === "UP";
  const out = replica.elections.length > 0 && replica.elections.every((standing) => standing.role === "OBSERVER");
  const alive = up || replica.state === "SILENT" || replica.state === "STARTING";
  const { withdraw, rejoin, pause, restart, crash } = shown.buttons;
  swap(out ? rejoin : withdraw, out ? withdraw : rejoin);
  enable(withdraw, up);
  enable(rejoin, up);
  for (const made of [pause, restart, crash]) made.hidden = !picture.processes;
  pause.hidden ||= !picture.pausable;
  enable(pause, up);
  enable(crash, alive);
  enable(restart, !replica.restarting && replica.state !== "STARTING" && replica.state !== "PAUSED");
  setText(restart, replica.state === "DOWN" ? "Start" : "Restart");
  for (const made of Object.values(shown.buttons)) {
    const label = `${made.textContent} ${replica.candidate}`;
    if (made.ariaLabel !== label) made.ariaLabel = label;
  }
}

/** Shows one of two buttons in the same place; the focus goes with it. */
function swap(shown, hidden) {
  if (!hidden.hidden || shown.hidden) {
    const focused = document.activeElement === hidden;
    shown.hidden = false;
    hidden.hidden = true;
    if (focused) shown.focus();
  }
}

function showFacts(shown, replica) {
  const text = `${replica.pid} ${replica.url} ${replica.state}`;
  if (shown.factsText !== text) {
    shown.factsText = text;
    const parts = [];
    if (replica.pid) parts.push(`process ${replica.pid}`);
    if (replica.pid && replica.url) {
      const href = `${replica.url}/actuator/election`;
      parts.push(" · ", element("a", { href, textContent: `:${new URL(replica.url).port}/actuator/election` }));
    } else if (replica.url) {
      parts.push(replica.url);
    }
    shown.facts.replaceChildren(...parts);
  }
}

function showStanding(shown, standing, state) {
  let cells = shown.cells.get(standing.election);
  if (!cells) {
    cells = [element("td", { textContent: standing.election }), element("td"),
      element("td", { className: "number" }), element("td", { className: "number" })];
    shown.cells.set(standing.election, cells);
    shown.rows.append(element("tr", {}, ...cells));
  }
  const leads = standing.role === "LEADER" && state === "UP";
  setText(cells[1], state === "UP" ? (leads ? "★ leader" : words(standing.role)) : "–");
  cells[1].classList.toggle("leads", leads);
  setText(cells[2], String(standing.executed));
  setText(cells[3], String(standing.skipped));
}

// ---------------------------------------------------------------- events and terms

const knownEvents = new Set();

/** Each demo numbers its events from 1, and it may be another one that answers now. */
function forgetEvents() {
  knownEvents.clear();
  $("events").replaceChildren();
}

function showEvents(picture) {
  const list = $("events");
  for (const event of [...picture.events].reverse()) {
    if (knownEvents.has(event.number)) continue;
    knownEvents.add(event.number);
    const what = element("span", { className: "what" });
    what.append(event.type === "NOTE"
      ? element("b", { textContent: event.detail })
      : element("b", { textContent: words(event.type) }));
    if (event.type !== "NOTE" && event.detail) {
      what.append(` · ${event.type === "REVOKED" ? words(event.detail) : event.detail}`);
    }
    if (event.sequence) what.append(element("span", { className: "quiet", textContent: ` · #${event.sequence}` }));
    const made = element("li", {},
      element("time", { dateTime: event.at, className: "quiet", textContent: clock.format(new Date(event.at)) }),
      element("span", { textContent: label(picture, event.replica) }), element("span", { textContent: event.election }), what);
    made.dataset.type = event.type;
    list.prepend(made);
  }
  while (list.children.length > 60) list.lastElementChild.remove();
}

function showTerms(picture) {
  const count = picture.terms.length;
  $("overlaps").classList.toggle("bad", picture.overlaps > 0);
  setText($("overlaps"), picture.overlaps > 0
    ? `✗ ${picture.overlaps} ${picture.overlaps === 1 ? "overlap" : "overlaps"} among ${count} terms`
    : count ? `✓ ${count} ${count === 1 ? "term" : "terms"}, none overlap` : "");
  if ($("terms").closest("details").open) {
    $("terms").tBodies[0].replaceChildren(...[...picture.terms].reverse().map((term) => element("tr", {},
      element("td", { textContent: term.election }), element("td", { textContent: label(picture, term.replica) }),
      element("td", { textContent: term.fencingToken, className: "number" }),
      element("td", { textContent: clock.format(new Date(term.since)) }),
      element("td", { textContent: term.until ? clock.format(new Date(term.until)) : "now" }),
      element("td", { textContent: words(term.end) }))));
  }
}

// ---------------------------------------------------------------- the page

function show(picture) {
  const { zooKeeper } = picture;
  setText($("zookeeper-state"), zooKeeper.running ? "ZooKeeper" : "ZooKeeper is away");
  $("zookeeper-state").dataset.state = zooKeeper.running ? "UP" : "DOWN";
  setText($("zookeeper-address"), zooKeeper.address);
  $("zookeeper-restart").hidden = !zooKeeper.restartable;
  enable($("zookeeper-restart"), !zooKeeper.restarting);
  setText($("zookeeper-restart"), zooKeeper.running || zooKeeper.restarting ? "Restart ZooKeeper" : "Start ZooKeeper");
  const names = picture.replicas.map((replica) => replica.name);
  picture.elections.forEach((election) => showElection(picture, election, names));
  picture.replicas.forEach((replica, index) => showReplica(picture, replica, index));
  showEvents(picture);
  showTerms(picture);
  timeline($("timeline"), picture, Number($("span").value));
}

$("zookeeper-restart").addEventListener("click", (click) => {
  if (click.currentTarget.ariaDisabled !== "true") post("demo/zookeeper/restart");
});

const stream = new EventSource("demo/stream");
stream.addEventListener("message", (message) => show(JSON.parse(message.data)));
stream.addEventListener("open", () => {
  setText($("message"), "");
  forgetEvents();
});
stream.addEventListener("error", () => setText($("message"), "The demo cannot be reached. Trying again …"));
