import { useEffect, useState } from "react";
import { announce } from "../../shell/announcer";
import { en } from "../../strings/en";

const SECOND = 1_000;

/** Seconds left until `until`, both in milliseconds; the part of one counts whole. */
export function secondsLeft(until: number, now: number): number {
  return Math.max(0, Math.ceil((until - now) / SECOND));
}

/** Counts down the seconds until the next try. Said once when it begins. */
export function useWait(): { seconds: number; begin: (seconds: number) => void } {
  const [until, setUntil] = useState(0);
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (until === 0) return;
    const timer = setInterval(() => {
      const left = secondsLeft(until, Date.now());
      setSeconds(left);
      if (left === 0) setUntil(0);
    }, SECOND / 4);
    return () => clearInterval(timer);
  }, [until]);
  const begin = (wait: number) => {
    setUntil(Date.now() + wait * SECOND);
    setSeconds(wait);
    announce(en.unlock.wait(wait));
  };
  return { seconds, begin };
}
