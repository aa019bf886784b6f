import { type DragEvent, useState } from 'react';

/**
 * Lets an element take a file that is dropped on it. Takes a function for the first file.
 * @returns properties of the element; `data-over` is set while something is held over it
 */
export function useFileDrop(onFile: (file: File) => void) {
  const [over, setOver] = useState(false);
  return {
    'data-over': over || undefined,
    onDragOver(event: DragEvent) {
      // Without this the browser opens the file.
      event.preventDefault();
      setOver(true);
    },
    onDragLeave() {
      setOver(false);
    },
    onDrop(event: DragEvent) {
      event.preventDefault();
      setOver(false);
      const file = event.dataTransfer.files[0];
      if (file) onFile(file);
    },
  };
}
