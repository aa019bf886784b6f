import { useMediaQuery as useKitMediaQuery } from '@mantine/hooks';

/** Whether a media query holds now, from the first render on: by default the kit's hook answers after it. */
export const useMediaQuery = (query: string): boolean =>
  useKitMediaQuery(query, undefined, { getInitialValueInEffect: false });
