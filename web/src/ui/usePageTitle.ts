import { useEffect } from 'react';

/**
 * Names the page in the tab and for screen readers; the product's name comes last. Takes how many people wait for this
 * person: their number comes first, because a background tab shows little more.
 */
export function usePageTitle(title: string, waiting = 0): void {
  useEffect(() => {
    const plain = title ? `${title} · Fieldroom` : 'Fieldroom';
    document.title = waiting > 0 ? `(${waiting}) ${plain}` : plain;
    return () => {
      document.title = plain;
    };
  }, [title, waiting]);
}
