/** The known work of the figures about names: each character read once, and multiplied once (FNV-1a). */
export function readName(name: string): number {
  let hash = 0x811c_9dc5;
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 0x0100_0193);
  return hash & 0xff;
}
