import { useEffect } from 'react';

/** Names the page in the tab and for screen readers; the product's name stands last. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} · Fieldroom` : 'Fieldroom';
  }, [title]);
}
