/** Which modules load together with an entry: those it reaches by imports that do not wait for an `import()`. */

/** What is asked of the bundler about a module. */
export interface ModuleGraph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/** A function that tells whether a module loads with the entry. The graph is walked once, at the first question. */
export function loadsWith(entry: string): (id: string, graph: ModuleGraph) => boolean {
  let eager: ReadonlySet<string> | undefined;
  return (id, graph) => {
    eager ??= reach(entry, graph);
    return eager.has(id);
  };
}

function reach(entry: string, graph: ModuleGraph): ReadonlySet<string> {
  const seen = new Set<string>();
  const queue = [entry];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    queue.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  if (seen.size < 2) throw new Error(`the build knows no module ${entry}`);
  return seen;
}
