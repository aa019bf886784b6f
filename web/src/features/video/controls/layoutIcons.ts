import { IconFocusCentered, IconLayoutColumns, IconLayoutGrid } from '@tabler/icons-react';

/** The icon of each layout, in the switch and in a phone's menu. */
export const LAYOUT_ICONS = { field: IconFocusCentered, half: IconLayoutColumns, gallery: IconLayoutGrid } as const;
