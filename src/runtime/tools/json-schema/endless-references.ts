/** Finds schemas that look at the same value for ever, `{ "$ref": "#" }` at its shortest: no check of them could end. */

/**
 * One node of a graph that lies on a circle, or leads into one; undefined when every walk ends. Takes away, again
 * and again, what leads nowhere further; what is left runs in a circle. Time linear in nodes and edges.
 */
export function findEndless<Node>(nodes: Iterable<Node>, edges: ReadonlyMap<Node, readonly Node[]>): Node | undefined {
  const incoming = new Map<Node, Node[]>();
  const outgoing = new Map<Node, number>();
  for (const node of nodes) {
    outgoing.set(node, edges.get(node)?.length ?? 0);
    incoming.set(node, []);
  }
  for (const [from, targets] of edges) for (const to of targets) incoming.get(to)?.push(from);
  const ends = [...outgoing].filter(([, count]) => count === 0).map(([node]) => node);
  for (const node of ends) {
    outgoing.delete(node);
    for (const from of incoming.get(node) ?? []) {
      const left = (outgoing.get(from) ?? 0) - 1;
      outgoing.set(from, left);
      if (left === 0) ends.push(from);
    }
  }
  const [endless] = outgoing.keys();
  return endless;
}
