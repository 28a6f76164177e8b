/** The line icons of the app: 24 units wide, strokes of 1.5. They are decoration; the control around them has the name. */

/** One path each. A path that ends in a dot is drawn as a point by its round cap. */
const PATHS = {
  ask: "M4 5.5h16v11h-9l-4.5 3.5v-3.5H4z",
  memory: "M6.5 3.5h11v17L12 16.2l-5.5 4.3z",
  hood: "M4 17a8 8 0 1 1 16 0M12 17l3.6-5.4M4 20h16",
  search: "M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.3 15.3 20 20",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.8v4.4M9 14.8v4.4",
  more: "M5.5 12a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0zM11.5 12a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0zM17.5 12a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0z",
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6 6 18",
  check: "M5 12.5 10 17.5 19 7",
  differ: "M5 9h14M5 15h14M15.5 4.5l-7 15",
  doubt: "M8.5 9a3.5 3.5 0 1 1 5 3.2c-1 .5-1.5 1.2-1.5 2.3M12 18.5v.01",
  down: "M6 9.5l6 6 6-6",
  right: "M9.5 6l6 6-6 6",
  left: "M14.5 6l-6 6 6 6",
  plus: "M12 5v14M5 12h14",
  edit: "M5 19l1-4L16.5 4.5l3 3L9 18zM14 7l3 3",
  archive: "M4 5h16v4H4zM5.5 9v10h13V9M10 13h4",
  trash: "M5 7h14M9.5 7V4.5h5V7M7 7l1 12.5h8L17 7",
  copy: "M9 9h10.5v10.5H9zM15 9V4.5H4.5V15H9",
  stop: "M7 7h10v10H7z",
  retry: "M19 12a7 7 0 1 1-2.2-5.1M19 4v4.5h-4.5",
  branch: "M7 4v16M7 14c0-4 10-2 10-7.5M7 20h.01M17 4.5v.01M7 4v.01",
  attach: "M18.5 11.5l-6.6 6.6a4 4 0 0 1-5.7-5.7l7.1-7.1a2.7 2.7 0 0 1 3.8 3.8l-7 7a1.3 1.3 0 0 1-1.9-1.9l6.3-6.2",
  send: "M12 19V5.5M6 11l6-6 6 6",
  pin: "M9 4h6l-1 6 3 3.5H7L10 10zM12 13.5V20",
  warning: "M12 4.5 21 19.5H3zM12 10v4.5M12 17v.01",
  info: "M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16zM12 11v5M12 8v.01",
  download: "M12 4v11M7 10.5l5 5 5-5M5 19.5h14",
  shield: "M12 3.5 19 6v6c0 4-3 7-7 8.5-4-1.5-7-4.5-7-8.5V6zM9 12l2.3 2.3L15.2 10",
  undo: "M8.5 5 4.5 9l4 4M4.5 9H14a5 5 0 0 1 0 10h-4",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg
      className="icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
