/** Answers to one question that is asked again before it is answered. */

interface Question {
  /** Whether a newer request has been answered already: then this answer is outdated. */
  isLate(): boolean;
  /** Accepts the answer: answers to older requests are outdated from now on. */
  take(): void;
}

/** Keeps the answers of one request in order. Returns a function to call for each request. */
export function answersInOrder(): () => Question {
  let asked = 0;
  let taken = 0;
  return () => {
    asked += 1;
    const mine = asked;
    return {
      isLate: () => mine < taken,
      take() {
        taken = mine;
      },
    };
  };
}
