import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { designQueries, noteDesign } from '../../designQueries.ts';
import { type OwnDesign, THEME_DESIGN } from '../../ownDesign.ts';
import { resetAll, savePart } from './designApi.ts';
import {
  type Changes,
  type Draft,
  draftOf,
  lowContrast,
  type Part,
  PARTS,
  withChange,
  without,
} from './designDraft.ts';

/** The page's message about saving: `stopped` after an upload that the person has stopped. */
type Progress = 'none' | 'saving' | 'saved' | 'failed' | 'unreadable' | 'stopped' | 'reset';

export interface DesignForm {
  draft: Draft;
  /** Something is unsaved. */
  dirty: boolean;
  progress: Progress;
  /** The uploaded share of a picture, 0 to 1; null while none is uploaded. */
  uploaded: number | null;
  /** Refusals by part. */
  faults: Partial<Record<Part, unknown>>;
  change<P extends Part>(part: P, value: Draft[P]): void;
  /** Discards unsaved changes. */
  discard(): void;
  save(): Promise<void>;
  stopUpload(): void;
  /** Resets every part to the theme. Throws `ApiProblem`. */
  reset(): Promise<void>;
}

const releasePicture = ({ picture }: Changes) => picture?.kind === 'new' && URL.revokeObjectURL(picture.address);

/** Takes the design as it is stored; it may change on another device while the form is open. */
export function useDesignForm(saved: OwnDesign): DesignForm {
  const queries = useQueryClient();
  const [changes, setChanges] = useState<Changes>({});
  const [progress, setProgress] = useState<Progress>('none');
  const [uploaded, setUploaded] = useState<number | null>(null);
  const [faults, setFaults] = useState<DesignForm['faults']>({});
  const upload = useRef<AbortController>(undefined);
  const latest = useRef(changes);
  useEffect(() => {
    latest.current = changes;
  });
  useEffect(
    () => () => {
      upload.current?.abort();
      releasePicture(latest.current);
    },
    [],
  );
  const draft = draftOf(saved, changes);

  const save = async () => {
    if (lowContrast(draft.left) !== null || lowContrast(draft.top) !== null) {
      setProgress('unreadable');
      return;
    }
    setProgress('saving');
    setFaults({});
    upload.current = new AbortController();
    const { signal } = upload.current;
    let [design, end]: [OwnDesign, Progress] = [saved, 'saved'];
    for (const part of PARTS.filter((each) => each in changes))
      try {
        design = { ...design, ...(await savePart(part, draft, { signal, onProgress: setUploaded })) };
        // The picture from this device stays visible; other pages fetch the server's.
        if (part === 'picture' && draft.picture.kind === 'new' && design.imageId !== null)
          queries.setQueryData(designQueries.picture(design.imageId).queryKey, draft.picture.address);
        await noteDesign(queries, design);
        // Changes made during the save are not saved.
        setChanges((before) => (before[part] === changes[part] ? without(before, part) : before));
      } catch (fault) {
        if (!signal.aborted) setFaults((before) => ({ ...before, [part]: fault }));
        end = signal.aborted ? 'stopped' : 'failed';
      } finally {
        setUploaded(null);
      }
    setProgress(end);
  };

  return {
    draft,
    dirty: Object.keys(changes).length > 0,
    progress,
    uploaded,
    faults,
    change(part, value) {
      if (part === 'picture') releasePicture(latest.current);
      // Based on the current state, not on that from the start of the change: a picture is decoded first, and other
      // parts may change in between.
      setChanges((before) => withChange(saved, before, part, value));
      setFaults((before) => without(before, part));
      setProgress((before) => (before === 'saving' ? before : 'none'));
    },
    discard() {
      releasePicture(changes);
      setChanges({});
      setFaults({});
      setProgress('none');
    },
    save,
    stopUpload: () => upload.current?.abort(),
    async reset() {
      await resetAll();
      await noteDesign(queries, THEME_DESIGN);
      releasePicture(changes);
      setChanges({});
      setFaults({});
      setProgress('reset');
    },
  };
}
