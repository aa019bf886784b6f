/** The rows of a table (dataTable.module.css) that is still being fetched. */
import { Skeleton } from '@mantine/core';
import table from '../dataTable.module.css';

/** How much of its row each block fills. */
const WIDTHS = ['62%', '74%', '56%', '68%'] as const;

export interface LoadingRowsProps {
  /** Tells screen readers that the table is loading. */
  label: string;
  rows?: number;
}

/** A header and `rows` rows of grey blocks in the table's frame. */
export function LoadingRows({ label, rows = 4 }: LoadingRowsProps) {
  return (
    <div className={table.frame} role="status" aria-busy="true" aria-label={label}>
      <div className={table.loadingHead}>
        <Skeleton height={14} width="40%" radius={8} />
      </div>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={table.loadingRow}>
          <Skeleton height={20} width={WIDTHS[row % WIDTHS.length]} radius={8} />
        </div>
      ))}
    </div>
  );
}
