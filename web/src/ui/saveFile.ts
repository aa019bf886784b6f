/** Browsers read the address a moment after the click. */
const KEPT_MS = 60_000;

/** Saves bytes as a file in the person's downloads. Takes the suggested file name. */
export function saveFile(bytes: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(bytes);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}
