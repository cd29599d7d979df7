/** A whole number from 0 to `below` - 1. */
export type Draw = (below: number) => number;

/** The same numbers for the same seed (a linear congruential generator). */
export function drawFrom(seed: number): Draw {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export function pick<T>(draw: Draw, choices: readonly T[]): T {
  const chosen = choices[draw(choices.length)];
  if (chosen === undefined) throw new Error("there is nothing to choose from");
  return chosen;
}

const kinds = [
  ["apps/v1", "Deployment"],
  ["apps/v1", "StatefulSet"],
  ["apps/v1", "DaemonSet"],
  ["apps/v1", "ReplicaSet"],
  ["batch/v1", "Job"],
  ["batch/v1", "CronJob"],
  ["v1", "Pod"],
  ["argoproj.io/v1alpha1", "Rollout"],
  ["batch.volcano.sh/v1alpha1", "Job"],
  ["v1", "Service"],
] as const;

/** A manifest inside a text, which no reader may take for one. */
const disguised = [
  "apiVersion: apps/v1",
  "kind: Deployment",
  "template:",
  "  metadata:",
  "    labels:",
  "      istio.io/rev: x",
];

/** The style of one document. */
interface Style {
  readonly step: number;
  readonly isIndentless: boolean;
  readonly draw: Draw;
}

function quote(value: string, { draw }: Style): string {
  return pick(draw, [value, value, value, `"${value}"`, `'${value}'`]);
}

function decorate(line: string, { draw }: Style): string {
  const roll = draw(24);
  if (roll === 0) return `${line}   # a comment: with "quotes"`;
  return roll === 1 && !line.endsWith("|") ? `${line}  ` : line;
}

/** Lines inside texts: a comment before one would be part of the text, or end it. */
const inTexts: ReadonlySet<string> = new Set([...disguised.map((line) => line.trim()), "that goes on here"]);

/** Puts comments at any column, empty lines and blanks between the lines. */
function scatter(lines: readonly string[], style: Style): readonly string[] {
  return lines.flatMap((line) => {
    const roll = inTexts.has(line.trim()) ? 9 : style.draw(30);
    if (roll === 0) return ["", line];
    if (roll === 1) return [`${" ".repeat(style.draw(9))}# labels: {istio.io/rev: "no"}`, line];
    return roll === 2 ? [`${" ".repeat(style.draw(5))}`, line] : [line];
  });
}

function deepen(lines: readonly string[], { step }: Style): readonly string[] {
  return lines.map((line) => (line === "" ? line : " ".repeat(step) + line));
}

type Pairs = readonly (readonly [string, string])[];

/** Writes a map of texts in one of the styles that people use. */
function writeMap(key: string, pairs: Pairs, style: Style): readonly string[] {
  const { draw } = style;
  const flow = pairs.map(([name, value]) => `${name}: ${pick(draw, [`"${value}"`, `'${value}'`])}`).join(", ");
  if (pairs.length === 0)
    return pick(draw, [[], [], [], [`${key}:`], [`${key}: {}`], [`${key}:`], [`${key}: null`], [`${key}: ~ # none`]]);
  if (draw(15) === 0) return [`${key}: {${flow}}`];
  if (draw(25) === 0) return [`${key}: { ${flow} } # flow`];
  if (draw(25) === 0)
    return [
      `"${key}":`,
      ...deepen(
        pairs.map(([name, value]) => `"${name}": "${value}"`),
        style,
      ),
    ];
  return [
    decorate(`${key}:`, style),
    ...deepen(
      pairs.map(([name, value]) => decorate(`${name}: ${quote(value, style)}`, style)),
      style,
    ),
  ];
}

function some(draw: Draw, pairs: Pairs, of: number): Pairs {
  return pairs.filter(() => draw(of) === 0);
}

function writeLabels(style: Style): Pairs {
  return [
    ...some(
      style.draw,
      [
        ["app", "cart"],
        ["version", "v1"],
      ],
      2,
    ),
    ...some(style.draw, [["istio.io/rev", "1-24-5"]], 3),
    ...some(style.draw, [["sidecar.istio.io/inject", "false"]], 15),
  ];
}

function writeList(key: string, items: readonly (readonly string[])[], style: Style): readonly string[] {
  const lines = items.flatMap((item) => item.map((line, index) => (index === 0 ? `- ${line}` : `  ${line}`)));
  return [`${key}:`, ...(style.isIndentless ? lines : deepen(lines, style))];
}

function writeText(key: string, style: Style): readonly string[] {
  const head = pick(style.draw, ["|", ">", "|-", ">+", "|", ">", "|-", ">+", "|2"]);
  const deep = head === "|2" ? { ...style, step: 2 } : style;
  return [`${key}: ${head}`, ...deepen(disguised, deep)];
}

function writePodSpec(style: Style): readonly string[] {
  const { draw } = style;
  const container = [
    "name: main",
    `image: ${quote("registry.example.com/cart:1.2", style)}`,
    'args: ["--port=8080", info]',
    ...(draw(3) === 0 ? writeText("command", style) : []),
    ...(draw(4) === 0 ? ["resources: {limits: {cpu: 500m}}"] : []),
    ...(draw(9) === 0 ? ["description: a text", "  that goes on here"] : []),
    ...(draw(12) === 0 ? [pick(draw, ["tabbed: a\tb", "tabbed:\tb", "tabbed: a\t", "tabbed: a\t# b"])] : []),
  ];
  return [
    ...(draw(12) === 0 ? ["hostNetwork: true"] : []),
    ...writeList("containers", [container, ["name: second"]], style),
  ];
}

function writeTemplate(style: Style): readonly string[] {
  const { draw } = style;
  const metadata = [
    ...writeMap(
      "annotations",
      some(
        draw,
        [
          ["prometheus.io/scrape", "true"],
          ["sidecar.istio.io/inject", "true"],
        ],
        3,
      ),
      style,
    ),
    ...writeMap("labels", writeLabels(style), style),
  ];
  const above = metadata.length === 0 ? [] : ["metadata:", ...deepen(metadata, style)];
  return ["template:", ...deepen([...above, "spec:", ...deepen(writePodSpec(style), style)], style)];
}

/** Labels of the selector with an anchor, and those of the template by alias or merge. */
function writeAnchored(style: Style): readonly string[] {
  const labels = pick(style.draw, [
    ["labels: *labels"],
    ["labels:", "  <<: *labels", "  version: v2"],
    ["labels: &own", "  app: cart"],
  ]);
  return [
    "selector:",
    ...deepen(["matchLabels: &labels", ...deepen(["app: cart"], style)], style),
    "template:",
    ...deepen(["metadata:", ...deepen(labels, style), "spec:", ...deepen(writePodSpec(style), style)], style),
  ];
}

/** Expressions of a selector, some of them about the revision. */
function writeExpressions(style: Style): readonly string[] {
  const { draw } = style;
  const key = () => quote(pick(draw, ["app", "tier", "version", "istio.io/rev"]), style);
  if (draw(4) === 0) return [`matchExpressions: [{key: ${key()}, operator: Exists}]`];
  const items = [
    [`key: ${key()}`, "operator: In", "values: [a, b]"],
    ["operator: Exists", `key: ${key()}`],
  ];
  return writeList(
    "matchExpressions",
    draw(4) === 0 ? [...items, [`{key: ${key()}, operator: Exists}`]] : items,
    style,
  );
}

function writeSpec(kind: string, style: Style): readonly string[] {
  const { draw } = style;
  if (kind === "Pod") return writePodSpec(style);
  if (kind === "Service") return ["selector:", ...deepen(["app: cart"], style)];
  if (kind === "CronJob") return ["jobTemplate:", ...deepen(["spec:", ...deepen(writeTemplate(style), style)], style)];
  if (draw(10) === 0) return writeAnchored(style);
  const selector = some(draw, [["istio.io/rev", "1-24-5"]], 20);
  const labels = draw(4) === 0 ? [] : writeMap("matchLabels", [["app", "cart"], ...selector], style);
  return [
    "replicas: 3",
    "selector:",
    ...deepen([...labels, ...(labels.length === 0 || draw(6) === 0 ? writeExpressions(style) : [])], style),
    ...writeTemplate(style),
  ];
}

function writeObject(style: Style): readonly string[] {
  const { draw } = style;
  const [apiVersion, kind] = pick(draw, kinds);
  const annotations = some(
    draw,
    [
      ["note", "a"],
      ["meshroll.dev/mutated-at", "2026-01-01T00:00:00Z"],
      ["meshroll.dev/spec-commit", "0123456"],
      ["meshroll.dev/opt-out", "until spring"],
      ["meshroll.dev/pin", "1-23-0"],
    ],
    7,
  );
  const metadata = [
    `name: cart-${draw(100_000)}`,
    ...(draw(6) === 0 ? [] : [`namespace: ${quote(pick(draw, ["shop", "payments", "kube-system"]), style)}`]),
    ...writeMap("annotations", annotations, style),
    ...writeMap("labels", kind === "Pod" ? writeLabels(style) : [["team", "a"]], style),
  ];
  const parts = [
    [`apiVersion: ${apiVersion}`],
    [`kind: ${quote(kind, style)}`],
    ["metadata:", ...deepen(metadata, style)],
    ["spec:", ...deepen(writeSpec(kind, style), style)],
    ...(draw(8) === 0 ? [writeText("notes", style)] : []),
  ];
  return draw(6) === 0 ? parts.toReversed().flat() : parts.flat();
}

function writeDocument(draw: Draw): readonly string[] {
  const style = { step: pick(draw, [2, 2, 2, 4, 3]), isIndentless: draw(2) === 0, draw };
  const roll = draw(12);
  if (roll === 0) return ["# nothing but a comment"];
  if (roll === 1)
    return [
      JSON.stringify(
        { apiVersion: "v1", kind: "Pod", metadata: { name: "p", namespace: "shop" }, spec: {} },
        undefined,
        pick(draw, [0, 2, 4]),
      ),
    ];
  if (roll === 2) {
    const flow = [`{apiVersion: v1, kind: Pod, metadata: {name: flow-${draw(100_000)}, namespace: shop}}`];
    const items = [writeObject(style), draw(3) === 0 ? flow : writeObject(style)];
    return scatter(["apiVersion: v1", "kind: List", ...writeList("items", items, style)], style);
  }
  return scatter(writeObject(style), style);
}

/** A stream of manifests in all styles that we know, drawn for each document. */
export function writeManifests(draw: Draw): string {
  const count = 1 + draw(4);
  const lines = Array.from({ length: count }, (_, index) => {
    const separator = pick(draw, ["---", "--- # next", "---", "---", "---", "---", "---", "...\n---"]);
    return [...(index === 0 && draw(2) === 0 ? [] : [index === 0 ? "---" : separator]), ...writeDocument(draw)];
  });
  const ending = draw(4) === 0 ? "\r\n" : "\n";
  const text = lines.flat().join("\n").replaceAll("\n", ending);
  return `${draw(12) === 0 ? "\uFEFF" : ""}${text}${draw(5) === 0 ? "" : ending}`;
}
