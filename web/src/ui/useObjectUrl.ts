import { useEffect, useState } from 'react';

/** The address of bytes in this browser, for an `<img>`, as long as they are shown; null while there are none. */
export function useObjectUrl(bytes: Blob | undefined): string | null {
  const [made, setMade] = useState<{ of: Blob; address: string } | null>(null);
  useEffect(() => {
    if (!bytes) return undefined;
    const address = URL.createObjectURL(bytes);
    setMade({ of: bytes, address });
    return () => URL.revokeObjectURL(address);
  }, [bytes]);
  // The address of the previous bytes is no longer valid.
  return made !== null && made.of === bytes ? made.address : null;
}
