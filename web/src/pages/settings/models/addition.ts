import type { NewModel, Provider } from "./requests";

/** The provider that stands for "another address". */
export const OWN = "";
/** The choice that opens a box for the name of the model. */
export const OTHER = "";

/** What is in the boxes of the form. Numbers are text until they are sent. */
export interface AdditionForm {
  readonly preset: string;
  readonly baseUrl: string;
  readonly protocol: "openai" | "anthropic";
  readonly offer: string;
  readonly modelId: string;
  readonly key: string;
  readonly inKeyring: boolean;
  readonly openOk: boolean;
  readonly name: string;
  readonly sees: boolean;
  readonly window: string;
  readonly inputPrice: string;
  readonly outputPrice: string;
}

export const EMPTY: AdditionForm = {
  preset: OWN,
  baseUrl: "",
  protocol: "openai",
  offer: OTHER,
  modelId: "",
  key: "",
  inKeyring: false,
  openOk: false,
  name: "",
  sees: false,
  window: "",
  inputPrice: "",
  outputPrice: "",
};

export type Missing = Partial<Record<"model" | "address" | "key" | "number", true>>;

/** The form as it begins with a provider: its address and its first model. */
export function begun(provider: Provider | undefined): AdditionForm {
  if (!provider) return EMPTY;
  return { ...EMPTY, preset: provider.name, baseUrl: provider.base_url, offer: provider.models[0] ?? OTHER };
}

/** The host of an address; the address itself where it is none yet. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}

/** Whether what is sent to an address stays on this machine. The server decides for itself; this only words a warning. */
export function staysHere(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { hostname } = new URL(address);
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Whether a key would travel to an address in the clear. */
export function isOpen(address: string): boolean {
  return address.trim().toLowerCase().startsWith("http://") && !staysHere(address.trim());
}

/** What is not filled in yet, or wrongly. */
export function missing(form: AdditionForm, provider: Provider | undefined): Missing {
  const numbers = [form.window, form.inputPrice, form.outputPrice];
  return {
    ...(modelOf(form) === "" ? { model: true } : {}),
    ...(form.baseUrl.trim() === "" ? { address: true } : {}),
    ...(provider?.needs_key && form.key.trim() === "" ? { key: true } : {}),
    ...(numbers.some((text) => text.trim() !== "" && !(Number(text) >= 0)) ? { number: true } : {}),
  };
}

/** What is sent. What is left empty is left to the preset and the server. */
export function additionOf(form: AdditionForm, provider: Provider | undefined): NewModel {
  const moved = provider !== undefined && form.baseUrl.trim() !== provider.base_url;
  const own = provider === undefined;
  return {
    model_id: modelOf(form),
    kind: own ? form.protocol : "openai",
    in_keyring: form.inKeyring && form.key.trim() !== "",
    open_ok: form.openOk && isOpen(form.baseUrl),
    sees: form.sees,
    ...(own ? {} : { preset: provider.name }),
    ...(own || moved ? { base_url: form.baseUrl.trim() } : {}),
    ...(form.key.trim() === "" ? {} : { key: form.key.trim() }),
    ...(form.name.trim() === "" ? {} : { name: form.name.trim() }),
    ...number("window", form.window),
    ...number("input_price", form.inputPrice),
    ...number("output_price", form.outputPrice),
  };
}

function modelOf({ offer, modelId }: AdditionForm): string {
  return offer === OTHER ? modelId.trim() : offer;
}

function number<Key extends string>(key: Key, text: string): Partial<Record<Key, number>> {
  return (text.trim() === "" ? {} : { [key]: Number(text) }) as Partial<Record<Key, number>>;
}
