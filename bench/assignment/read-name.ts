/** Reference work for figures about names: FNV-1a, which reads and multiplies each character once. */
export function readName(name: string): number {
  let hash = 0x811c_9dc5;
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 0x0100_0193);
  return hash & 0xff;
}
