import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { Tooltip } from "radix-ui";
import { queryClient } from "./api/queries";
import { router } from "./router";
import { StreamsProvider } from "./streams/provider";
import { ToastProvider } from "./ui/Toast";

/** Milliseconds for which a pointer rests before a tooltip explains. */
const TOOLTIP_DELAY = 450;

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <StreamsProvider>
        <Tooltip.Provider delayDuration={TOOLTIP_DELAY}>
          <ToastProvider>
            <RouterProvider router={router} />
          </ToastProvider>
        </Tooltip.Provider>
      </StreamsProvider>
    </QueryClientProvider>
  );
}
