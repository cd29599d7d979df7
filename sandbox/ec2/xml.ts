import { type Ec2Machine, stateCodes } from "./instances.ts";
import type { Refusal } from "./refusal.ts";

// The shapes of the examples in the Amazon EC2 API reference: DescribeInstances, CreateTags, and the error response.

const namespace = "http://ec2.amazonaws.com/doc/2016-11-15/";
const head = '<?xml version="1.0" encoding="UTF-8"?>\n';

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

function printAnswer(name: string, requestId: string, content: string): string {
  return `${head}<${name} xmlns="${namespace}"><requestId>${requestId}</requestId>${content}</${name}>`;
}

function showAddress(address: string, isPrimary: boolean): string {
  return `<item><privateIpAddress>${address}</privateIpAddress><primary>${isPrimary}</primary></item>`;
}

function showInterface(address: string): string {
  const addresses = `<privateIpAddressesSet>${showAddress(address, true)}</privateIpAddressesSet>`;
  return `<item><status>in-use</status><privateIpAddress>${address}</privateIpAddress>${addresses}<ipv6AddressesSet/></item>`;
}

function showTag([key, value]: readonly [string, string]): string {
  return `<item><key>${escape(key)}</key><value>${escape(value)}</value></item>`;
}

function showMachine({ id, state, address, otherAddress, tags }: Ec2Machine): string {
  const interfaces = [address, ...(otherAddress === undefined ? [] : [otherAddress])].map(showInterface).join("");
  const isGone = state === "terminated";
  return [
    `<item><instanceId>${id}</instanceId><imageId>ami-0abcdef1234567890</imageId>`,
    `<instanceState><code>${stateCodes[state]}</code><name>${state}</name></instanceState>`,
    "<reason/><amiLaunchIndex>0</amiLaunchIndex><productCodes/><instanceType>m7g.large</instanceType>",
    "<launchTime>2026-01-01T00:00:00.000Z</launchTime>",
    isGone ? "" : `<privateIpAddress>${address}</privateIpAddress>`,
    `<tagSet>${[...tags].map(showTag).join("")}</tagSet>`,
    isGone ? "<networkInterfaceSet/>" : `<networkInterfaceSet>${interfaces}</networkInterfaceSet>`,
    "</item>",
  ].join("");
}

/** Instances that were launched one by one, each in a reservation of its own; `next`: where the next page begins. */
export function printInstances(requestId: string, machines: readonly Ec2Machine[], next: string | undefined): string {
  const reservations = machines.map((machine) => {
    const reservation = `<reservationId>r-${machine.id.slice(2)}</reservationId><ownerId>123456789012</ownerId><groupSet/>`;
    return `<item>${reservation}<instancesSet>${showMachine(machine)}</instancesSet></item>`;
  });
  const token = next === undefined ? "" : `<nextToken>${escape(next)}</nextToken>`;
  const set = `<reservationSet>${reservations.join("")}</reservationSet>`;
  return printAnswer("DescribeInstancesResponse", requestId, set + token);
}

export function printTagged(requestId: string): string {
  return printAnswer("CreateTagsResponse", requestId, "<return>true</return>");
}

export function printRefusal(requestId: string, { code, message }: Refusal): string {
  const error = `<Error><Code>${code}</Code><Message>${escape(message)}</Message></Error>`;
  return `${head}<Response><Errors>${error}</Errors><RequestID>${requestId}</RequestID></Response>`;
}
