/* The timeline chart: one lane per election, one bar per term. */
import { shape } from "./shapes.js";

const LABELS = 64;
const LANE = 34;
const GAP = 8;
const TOP = 20;
const BOTTOM = 20;

const escape = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

export function timeline(container, snapshot, seconds) {
  const width = Math.max(280, container.clientWidth);
  const lanes = snapshot.elections.map((election) => election.name);
  const height = TOP + lanes.length * (LANE + GAP) + BOTTOM;
  const now = Date.parse(snapshot.now);
  const from = now - seconds * 1000;
  const x = (time) => LABELS + (Math.min(Math.max(time, from), now) - from) / (now - from) * (width - LABELS);
  const y = (lane) => TOP + lane * (LANE + GAP);
  const name = (leader) => snapshot.replicas.find((replica) => replica.name === leader)?.candidate ?? "no leader";
  const parts = [...grid(seconds, width, height, x, now), ...lanes.map((name, lane) => laneOf(name, y(lane), width))];

  for (const term of snapshot.terms) {
    const until = term.until ? Date.parse(term.until) : now;
    if (until >= from) parts.push(bar(term, x(Date.parse(term.since)), x(until), y(lanes.indexOf(term.election)), snapshot));
  }
  // Drawn above all bars, because a hand-over is where two of them meet.
  for (const term of snapshot.terms) {
    if (term.end === "HANDED_OVER" && Date.parse(term.until) >= from) {
      parts.push(move(term, x(Date.parse(term.until)), y(lanes.indexOf(term.election)), name));
    }
  }
  for (const event of snapshot.events) {
    const at = Date.parse(event.at);
    if (event.type === "NOTE" && /killed|paused|stopped/.test(event.detail) && at >= from) parts.push(note(event, x(at), height));
  }
  const leaders = snapshot.elections.map((election) => `${election.name}: ${name(election.leaders[0])}`).join(", ");
  container.innerHTML = `<svg viewBox="0 0 ${width} ${height}" role="img"
    aria-label="Leaders of the last ${seconds} seconds. Now: ${escape(leaders)}.">${parts.join("")}</svg>`;
}

function* grid(seconds, width, height, x, now) {
  const step = width < 560 ? seconds / 2 : seconds / 4;
  for (let ago = 0; ago <= seconds; ago += step) {
    const at = x(now - ago * 1000);
    const anchor = ago === 0 ? "end" : ago === seconds ? "start" : "middle";
    yield `<line class="grid" x1="${at}" x2="${at}" y1="${TOP}" y2="${height - BOTTOM}"/>
      <text x="${at}" y="${height - 4}" text-anchor="${anchor}">${ago === 0 ? "now" : `−${ago} s`}</text>`;
  }
}

function laneOf(name, top, width) {
  return `<text class="name" x="0" y="${top + LANE / 2 + 4}">${escape(name)}</text>
    <rect class="lane" x="${LABELS}" y="${top}" width="${width - LABELS}" height="${LANE}" rx="6"/>`;
}

function bar(term, left, right, top, snapshot) {
  const index = snapshot.replicas.findIndex((replica) => replica.name === term.replica);
  const width = Math.max(1.5, right - left);
  const name = snapshot.replicas[index].candidate;
  const label = width > 24 + 7 * name.length
    ? `<text x="${left + 24}" y="${top + LANE / 2 + 4}">${escape(name)}</text>` : "";
  const symbol = width > 20
    ? `<path d="${shape(index)}" transform="translate(${left + 8} ${top + LANE / 2 - 5})"/>` : "";
  return `<g class="term" data-replica="${index % 4}"><title>${escape(name)}, fencing token ${term.fencingToken}</title>
    <rect x="${left}" y="${top + 2}" width="${width}" height="${LANE - 4}" rx="${Math.min(5, width / 2)}"/>${symbol}${label}</g>`;
}

function move(term, at, top, name) {
  return `<g class="move"><title>${escape(`${name(term.replica)} handed over ${term.election} ${term.cause}`.trim())}</title>
    <circle cx="${at}" cy="${top + LANE / 2}" r="7"/>
    <path d="M-2.500 -3.500L3.500 0L-2.500 3.500z" transform="translate(${at} ${top + LANE / 2})"/></g>`;
}

function note(event, at, height) {
  const symbol = /killed/.test(event.detail) ? "✕" : /paused/.test(event.detail) ? "❚❚" : "■";
  return `<g class="note"><title>${escape(`${event.replica} ${event.detail}`)}</title>
    <line x1="${at}" x2="${at}" y1="${TOP - 4}" y2="${height - BOTTOM}"/>
    <text x="${at}" y="${TOP - 7}" text-anchor="middle">${symbol}</text></g>`;
}
