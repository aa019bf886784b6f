/**
 * Decides which modules share a file. The bundler makes a file for each set of entry points (entries, and dynamic
 * imports) that need the same modules. It does not know that some code is always loaded before other code runs, so a
 * page had nearly 120 files, most of them below a kilobyte, and a phone pays a round trip for every six. The result of
 * a first bundling shows which of them can be joined (docs/decisions/0019-files-planned-by-what-is-there.md).
 */

/** A file of the first bundling. */
export interface BundledFile {
  file: string;
  /** The module of the file's entry point; null for a file that is only shared. */
  begins: string | null;
  isEntry: boolean;
  imports: readonly string[];
  dynamicImports: readonly string[];
  /** Bytes before minification by module. */
  modules: Readonly<Record<string, number>>;
}

/** A module that absorbs small files that only ever run when it is loaded. */
export interface Home {
  /** The end of the module's name. */
  begins: string;
  /** Larger files stay separate. Bytes before minification. */
  maxBytes: number;
  /** Entry points that are imported elsewhere and yet run only with this module. */
  holds?(module: string): boolean;
}

/** Which small files are joined although different entry points load them. */
export interface Small {
  /** Bytes before minification: of a file that may join others, and of the joined file. */
  maxBytes: number;
  maxJoined: number;
  /** Entry points of what somebody sees first. All others are loaded later: after a press, or when there is time. */
  comesFirst(module: string): boolean;
}

interface Graph {
  files: ReadonlyMap<string, BundledFile>;
  /** By entry point: its file and all that it imports. */
  closures: ReadonlyMap<string, ReadonlySet<string>>;
  /** By entry point: the files that are loaded when it runs, whichever way led to it. */
  before: ReadonlyMap<string, ReadonlySet<string>>;
}

const NONE: ReadonlySet<string> = new Set();

function closureOf(file: string, files: Graph['files']): Set<string> {
  const closure = new Set([file]);
  // Iterating over a set also visits what is added on the way.
  for (const each of closure) for (const imported of files.get(each)?.imports ?? []) closure.add(imported);
  return closure;
}

function graphOf(bundled: readonly BundledFile[], homes: readonly Home[]): Graph {
  const files = new Map(bundled.map((file) => [file.file, file]));
  const importers = new Map<string, string[]>();
  for (const { file, dynamicImports } of bundled)
    for (const wanted of dynamicImports) importers.set(wanted, [...(importers.get(wanted) ?? []), file]);
  const beginnings = bundled.filter(({ file, isEntry }) => isEntry || importers.has(file));
  const closures = new Map(beginnings.map(({ file }) => [file, closureOf(file, files)]));
  const ways = beginnings
    .filter(({ isEntry }) => !isEntry)
    .map(({ file, begins }) => ({
      file,
      from: [...closures].filter(([, has]) => importers.get(file)!.some((one) => has.has(one))).map(([from]) => from),
      homes: homes
        .filter(({ holds }) => begins !== null && holds?.(begins))
        .map(({ begins: end }) => fileOf(bundled, end)),
    }));
  const before = new Map<string, ReadonlySet<string>>(
    beginnings.filter(({ isEntry }) => isEntry).map(({ file }) => [file, NONE]),
  );
  const there = (beginning: string) => new Set([...closures.get(beginning)!, ...(before.get(beginning) ?? NONE)]);
  // Each round removes what another way does not have, until nothing changes.
  for (let changed = true; changed;) {
    changed = false;
    for (const { file, from, homes: held } of ways) {
      const [first, ...others] = from.filter((way) => before.has(way)).map(there);
      if (first === undefined) continue;
      const all = [
        ...[...first].filter((one) => others.every((other) => other.has(one))),
        ...held.flatMap((home) => [...there(home)]),
      ];
      const now = new Set(all);
      if (before.get(file)?.size === now.size) continue;
      before.set(file, now);
      changed = true;
    }
  }
  return { files, closures, before };
}

/** The file that contains a module. The module may also be an entry point, through a small file that leads to it. */
function fileOf(bundled: readonly BundledFile[], end: string): string {
  const found = bundled.find(({ modules }) => Object.keys(modules).some((module) => module.endsWith(end)));
  if (!found) throw new Error(`no file holds ${end}`);
  return found.file;
}

/** The entry points that load a file, because it is not loaded yet. */
const loadersOf = (file: string, { closures, before }: Graph): string[] =>
  [...closures].filter(([root, has]) => has.has(file) && !before.get(root)?.has(file)).map(([root]) => root);

/**
 * Takes the files of a first bundling. Returns the name of the file for each module that shares one; the others stay
 * where the bundler puts them. Files that the same entry points load become one, small ones join a home, and small ones
 * that are first loaded together become one.
 */
export function planChunks(
  bundled: readonly BundledFile[],
  homes: readonly Home[],
  small?: Small,
): Map<string, string> {
  const graph = graphOf(bundled, homes);
  const names = new Map<string, string>();
  const nameOf = (loaders: readonly string[]) => {
    const key = loaders.toSorted().join(' ');
    if (!names.has(key)) names.set(key, `part${names.size}`);
    return names.get(key)!;
  };
  // The module of an entry point stays in its file, or the bundler adds one that leads to it.
  const shared = bundled.filter(({ begins }) => begins === null);
  const partOf = new Map(shared.map(({ file }) => [file, nameOf(loadersOf(file, graph))]));
  for (const home of homes) takeIn(home, shared, partOf, graph, nameOf, fileOf(bundled, home.begins));
  if (small) joinSmall(small, shared, partOf, graph);
  return new Map(
    shared.flatMap(({ file, modules }) => Object.keys(modules).map((id) => [id, partOf.get(file)!] as const)),
  );
}

/**
 * Moves small parts to a home. What a part imports must be loaded before or move as well, or files would import each
 * other in a circle.
 */
function takeIn(
  { maxBytes }: Home,
  shared: readonly BundledFile[],
  partOf: Map<string, string>,
  graph: Graph,
  nameOf: (loaders: readonly string[]) => string,
  homeFile: string,
): void {
  const { files, closures, before } = graph;
  const there = new Set([...closureOf(homeFile, files), ...(before.get(homeFile) ?? NONE)]);
  const part = partOf.get(homeFile) ?? nameOf([homeFile]);
  const isThere = (file: string) => there.has(file) || partOf.get(file) === part;
  const members = Map.groupBy(shared, ({ file }) => partOf.get(file)!);
  members.delete(part);
  for (let moved = true; moved;) {
    moved = false;
    for (const [name, inside] of members) {
      const own = new Set(inside.map(({ file }) => file));
      const bytes = inside.flatMap(({ modules }) => Object.values(modules)).reduce((a, b) => a + b, 0);
      const fits =
        bytes <= maxBytes &&
        inside.every(
          ({ file, imports }) =>
            loadersOf(file, graph).every(
              (root) => closures.get(root)!.has(homeFile) || before.get(root)?.has(homeFile),
            ) && imports.every((imported) => own.has(imported) || isThere(imported) || !files.has(imported)),
        );
      if (!fits) continue;
      for (const file of own) partOf.set(file, part);
      members.delete(name);
      moved = true;
    }
  }
}

/**
 * Joins small parts that the same first entry points load. Later ones may load more than they need, but nothing except
 * these small files: a dialog of the room that shares one with the frame must not load the router.
 */
function joinSmall(
  { maxBytes, maxJoined, comesFirst }: Small,
  shared: readonly BundledFile[],
  partOf: Map<string, string>,
  graph: Graph,
): void {
  const { files, closures, before } = graph;
  const bytesOf = (inside: readonly BundledFile[]) =>
    inside.flatMap(({ modules }) => Object.values(modules)).reduce((a, b) => a + b, 0);
  const isFirst = (root: string) => {
    const { isEntry, begins } = files.get(root)!;
    return isEntry || (begins !== null && comesFirst(begins));
  };
  const parts = [...Map.groupBy(shared, ({ file }) => partOf.get(file)!)]
    .filter(([, inside]) => bytesOf(inside) <= maxBytes)
    .map(([name, inside]) => {
      const loaders = [...new Set(inside.flatMap(({ file }) => loadersOf(file, graph)))];
      return { name, inside, later: loaders.filter((root) => !isFirst(root)), first: loaders.filter(isFirst) };
    });
  type Part = (typeof parts)[number];
  const goTogether = (one: Part, other: Part): boolean => {
    const inside = [...one.inside, ...other.inside];
    const own = new Set(inside.map(({ file }) => file));
    const needed = [...new Set(inside.flatMap(({ file }) => [...closureOf(file, files)]))].filter(
      (file) => !own.has(file),
    );
    const isThere = (root: string, file: string) =>
      closures.get(root)!.has(file) || before.get(root)?.has(file) === true;
    return (
      bytesOf(inside) <= maxJoined &&
      [...one.later, ...other.later].every((root) => needed.every((file) => isThere(root, file))) &&
      // What they need must not need them, or files would import each other in a circle.
      !leadsTo(needed, own, files, partOf)
    );
  };
  for (const together of Map.groupBy(parts, ({ first }) => first.toSorted().join(' ')).values()) {
    const joined: Part[] = [];
    for (const part of together) {
      const home = part.first.length > 0 ? joined.find((one) => goTogether(one, part)) : undefined;
      if (!home) {
        joined.push(part);
        continue;
      }
      for (const { file } of part.inside) partOf.set(file, home.name);
      home.inside = [...home.inside, ...part.inside];
      home.later = [...new Set([...home.later, ...part.later])];
    }
  }
}

/** Whether files, with everything that shares a part with what they need, lead to one of `ends`. */
function leadsTo(
  from: readonly string[],
  ends: ReadonlySet<string>,
  files: Graph['files'],
  partOf: ReadonlyMap<string, string>,
): boolean {
  const reached = new Set(from);
  for (const file of reached) {
    if (ends.has(file)) return true;
    for (const imported of files.get(file)?.imports ?? []) reached.add(imported);
    const part = partOf.get(file);
    if (part !== undefined) for (const [other, its] of partOf) if (its === part) reached.add(other);
  }
  return false;
}
